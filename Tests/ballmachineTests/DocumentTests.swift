import Foundation
import Programs
import TestSupport
import Testing

@testable import ballmachine

/// The manual pages and the shells' completions say what the program says.
struct DocumentTests {
  private static let tools = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "tools")

  /// Without the pages in Markdown, whose commands take long: tools/check sees to them.
  @Test func nothingIsStale() async throws {
    let script = #"exec "$TOOLS/lib/documents" --check --quick "$1""#
    let result = try await BuiltProgram.run([], script: script, environment: Self.environment)
    #expect(result.code == 0, "\(result.errors)")
  }

  /// Without the generator's help: the options that the page has are those of `--help`.
  @Test func theManualPageHasTheOptionsOfTheHelp() async throws {
    let page = try String(
      contentsOf: Self.tools.appending(path: "man/ballmachine.1"),
      encoding: .utf8
    )
    let sections = Self.sections(of: page)
    for name in BallMachine.subcommands.map({ usage(of: $0) }) {
      let section = try #require(sections[name], "no section \(name)")
      let help = try await BuiltProgram.run([name, "--help"]).output
      let helped = Self.names(in: help, behind: /^  (?:-., |    )--([a-z-]+)/)
      let told = Self.names(in: section, behind: /^\.(?:It )?(?:Fl . , )?Fl \\-([a-z\\-]+)/)
      #expect(told.union(["help", "usage", "version"]) == helped, "\(name)")
    }
    #expect(sections.keys.filter { BallMachine.named($0) == nil } == [])
  }

  /// The subsections of SUBCOMMANDS, by their headings.
  private static func sections(of page: String) -> [String: Substring] {
    let begin = page.firstRange(of: ".Sh SUBCOMMANDS\n")?.upperBound ?? page.endIndex
    let rest = page[begin...]
    let text = rest[..<(rest.firstRange(of: "\n.Sh ")?.lowerBound ?? rest.endIndex)]
    let parts = text.split(separator: ".Ss ").map {
      let heading = $0.prefix { $0 != "\n" }
      return ("\(heading)", $0.dropFirst(heading.count))
    }
    return Dictionary(uniqueKeysWithValues: parts)
  }

  private static func names(
    in text: some StringProtocol,
    behind pattern: Regex<(Substring, Substring)>
  ) -> Set<String> {
    let names = text.split(separator: "\n").compactMap { line in
      try? pattern.prefixMatch(in: String(line))
    }
    return Set(names.map { String($0.1.replacing("\\", with: "")) })
  }

  private func usage<Command: CommandOptions>(of type: Command.Type) -> String { type.usage.name }

  /// What bash offers behind these words.
  @Test(
    arguments: [
      ("exp", ["explain"]),
      ("explain --z", ["--zone"]),
      ("explain --zone 3-", ["3-0", "3-1", "3-2", "3-3"]),
      ("serve --bus = sys", ["system"]),
      ("help check-t", ["check-table", "check-track"]),
      ("check-table systemd/conf", ["systemd/config.yaml"]),
      ("send --config systemd/conf", ["systemd/config.yaml"]),
      ("send --address F0", []),
      ("pair", ["pair-phone"]),
      ("pair-phone --c", ["--card"]),
      ("camera cal", ["calibrate"]),
      ("sessions --logs li", ["lib"]),
      ("bugreport systemd/conf", ["systemd/config.yaml"]),
    ]
  )
  func bashCompletes(_ typed: String, _ offered: [String]) async throws {
    let script = """
      cd "$TOOLS"
      source completions/ballmachine
      COMP_WORDS=(ballmachine \(typed)) COMP_CWORD=\(typed.split(separator: " ").count)
      _ballmachine
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try await BuiltProgram.run([], script: script, environment: Self.environment)
    #expect(result.code == 0 && result.errors == "")
    #expect(result.lines == offered)
  }

  private static let environment = ["TOOLS": tools.path]
}
