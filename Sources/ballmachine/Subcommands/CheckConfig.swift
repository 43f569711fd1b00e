import Configuration
import Host
import Options
import Programs
import YAML

/// `ballmachine check-config`: whether the configuration is valid, and its values.
struct CheckConfig: Subcommand {
  var configuration = ConfigurationOptions()
  var prints = false
  var showsSchema = false
  var showsExample = false

  static let usage = Usage<Self>(
    name: "check-config",
    summary: "Check the configuration, or show its values or its keys",
    options: [
      .flag("print", \.prints, "Print every value in force and its origin, as YAML"),
      .flag("schema", \.showsSchema, "List all keys, without reading any file"),
      .flag("example", \.showsExample, "Print a configuration file with every key as a comment"),
    ],
    arguments: [.optional(.text("FILE"), \.configuration.file)],
    details: """
      FILE is checked together with the drop-ins in the folder beside it (config.d/*.yaml beside \
      config.yaml) and with the command table that they name. Without FILE it is \
      $BALLMACHINE_CONFIG, else \(ConfigurationFiles.standardPath).

      It reports all problems, a line each, as FILE:LINE:COLUMN: TEXT, and then ends with 78; with \
      66 if there is no FILE. It warns of paths in \(ConfigurationFiles.standardPath) that the \
      service's sandbox hides from it.

      Files are YAML, read strictly: what YAML 1.1 and 1.2 read differently (yes, 010, 1:30) is \
      an error, and so are duplicate keys, anchors, aliases, tags and merge keys.
      """
  )

  func validate() throws(UsageError) {
    guard [prints, showsSchema, showsExample].count(where: { $0 }) <= 1 else {
      throw UsageError("give one of --print, --schema and --example")
    }
    guard !(showsSchema || showsExample) || configuration.file == nil else {
      throw UsageError("--schema and --example read no file")
    }
  }

  func run(_ output: Output) async throws {
    if showsSchema {
      for key in BridgeConfiguration.schema.keys {
        try await output.write(ConfigurationKeyReport(key: key))
      }
    } else if showsExample {
      try await output.write(BridgeConfiguration.exampleReport)
    } else {
      try await check(output)
    }
  }

  private func check(_ output: Output) async throws {
    let files = ConfigurationFiles(main: configuration.file)
    if let missing = files.missing { throw Failure(.noInput, "\(missing)") }
    do {
      let effective = try configuration.effective()
      for blank in effective.blankWarnings {
        Output.complain("ballmachine check-config: warning: \(blank)")
      }
      if files.main == ConfigurationFiles.standardPath {
        for warning in effective.sandboxWarnings {
          Output.complain("ballmachine check-config: warning: \(warning)")
        }
      }
      try await output.write(effective.report(isPrinted: prints))
    } catch let error as ConfigurationError {
      throw try await output.report(error.problems, endingWith: ExitCode(for: error))
    }
  }
}
