import Configuration
import ControlProtocol
import Drills
import Host
import Options
import Programs
import Service
import YAML

/// `ballmachine check-drill`: whether a drill is valid, and this machine can throw it.
struct CheckDrill: Subcommand {
  var file: String?
  var showsSchema = false
  var configuration = ConfigurationOptions()
  var court = CourtOptions()

  static let usage = Usage<Self>(
    name: "check-drill",
    summary: "Check a drill",
    options: [
      .flag("schema", \.showsSchema, "List all keys of a drill, without reading any file")
    ] + ConfigurationOptions.options.within(\.configuration)
      + [CourtOptions.tableOption].within(\.court),
    arguments: [.optional(.text("FILE"), \.file)],
    details: """
      FILE is a drill's path, or the name of one that `drills' lists. It is checked with the \
      configured command table and least interval, at each of its levels.

      It reports all problems, a line each, as FILE:LINE:COLUMN: TEXT, and then ends with 65; with \
      66 if there is no FILE.
      """
  )

  func validate() throws(UsageError) {
    guard showsSchema != (file != nil) else { throw UsageError("give either FILE or --schema") }
  }

  func run(_ output: Output) async throws {
    guard let file else {
      for key in DrillDocument.schema.keys {
        try await output.write(ConfigurationKeyReport(key: key, isReloaded: false))
      }
      return
    }
    let configuration = try configuration.effective(court: court)
    let drill: DrillFile
    do throws(DrillError) {
      drill = try self.drill(file)
      try configuration.check(drill, at: drill.variants)
    } catch {
      throw try await output.report(error.problems, endingWith: error.exitCode)
    }
    if !DrillLibrary.isName(drill.name) {
      Output.complain("ballmachine check-drill: warning: \(DrillLibrary.misnomer(drill.name))")
    }
    try await output.write(DrillsRecord(drills: [DrillRecord(drill)]).report)
  }

  private func drill(_ file: String) throws(DrillError) -> DrillFile {
    guard !DrillLibrary.isName(file) else { return try configuration.drills.drill(named: file) }
    let name = file.lastIndex(of: "/").map { file[file.index(after: $0)...] } ?? file[...]
    return try DrillFile(
      name: String(name.hasSuffix(".yaml") ? name.dropLast(".yaml".count) : name),
      source: file,
      .named
    )
  }
}
