import CLinux
import Glibc
import Host

/// A program with subcommands: finds the subcommand, runs it, and turns its end into an exit code.
package protocol Program: Sendable {
  /// The program's name as people type it: `ballmachine`, `ballmachine camera`.
  static var name: String { get }
  /// One line, without a full stop.
  static var summary: String { get }
  /// The subcommands, grouped by what people do, in the order of the help.
  static var groups: [(title: String, members: [any Subcommand.Type])] { get }
  /// Programs beside this one that it runs, and their summaries.
  static var others: [OtherProgram] { get }
  /// Subcommands that the program runs as children of its own; no help names them.
  static var workers: [any Subcommand.Type] { get }
  /// What runs without a subcommand; nil: the help.
  static var usual: String? { get }
  /// What people also say for a subcommand.
  static var synonyms: [String: String] { get }

  /// Completes what a command line alone can't, before a subcommand runs.
  static func resolve<Command: Subcommand>(_ command: Command) async throws -> Command
}

extension Program {
  package static var others: [OtherProgram] { [] }
  package static var workers: [any Subcommand.Type] { [] }
  package static var usual: String? { nil }
  package static var synonyms: [String: String] { [:] }
  package static func resolve<Command: Subcommand>(_ command: Command) async throws -> Command {
    command
  }

  package static var subcommands: [any Subcommand.Type] { groups.flatMap(\.members) }

  package static func main() {
    let typed = Array(CommandLine.arguments.dropFirst())
    let given = typed.isEmpty ? [usual].compactMap(\.self) : typed
    let arguments = ordered(given)
    others.first { $0.name == arguments.first }?.replaceThis(arguments.dropFirst())
    prepareFiles(for: arguments)
    // A reader that leaves is an error of `write`, not the end of a bridge that feeds balls.
    signal(SIGPIPE, SIG_IGN)
    // Otherwise each thread gets its own arena, which keeps freed memory; threads come and go.
    mallopt(M_ARENA_MAX, 2)
    OneThread.run {
      let code = await run(arguments)
      #if DEBUG
        OtherThreads.refuse()
      #endif
      return code.rawValue
    }
  }

  /// Runs before anything is opened: no file may get a standard stream's number, and the limit of
  /// open files must suffice.
  private static func prepareFiles(for arguments: [String]) {
    let subcommand = arguments.first.flatMap(named)
    do {
      try StandardStreams.reopen()
      try OpenFileLimit.require(subcommand?.openFiles ?? 0)
    } catch {
      let program = subcommand.map { "\(name) \($0.name)" } ?? name
      exit(Output(for: arguments).fail(error, in: program).rawValue)
    }
  }

  /// The command line with `--json` behind the subcommand, where it may also stand before it. Other
  /// options without a subcommand are the usual one's.
  package static func ordered(_ arguments: [String]) -> [String] {
    let options = arguments.prefix { Output.isJSONOption($0) }
    var rest = arguments.dropFirst(options.count)
    if rest.first == "--", rest.count > 1 { rest.removeFirst() }
    guard let name = rest.first ?? (options.isEmpty ? nil : "help") else { return [] }
    guard name.hasPrefix("-") else { return [name] + options + rest.dropFirst() }
    guard let usual, !isOwnOption(name) else { return Array(rest) }
    return [usual] + arguments
  }

  /// Whether it is the program's own, as the parser takes it: abbreviated, too.
  private static func isOwnOption(_ word: String) -> Bool {
    ["-?", "-h", "-V"].contains(word)
      || ["--help", "--usage", "--version"].contains { word.count > 2 && $0.hasPrefix(word) }
  }

  /// Runs the subcommand; an error is printed, and becomes the exit code.
  private static func run(_ arguments: [String]) async -> ExitCode {
    let subcommand = arguments.first.flatMap(named)
    do {
      if let subcommand {
        try await run(subcommand, arguments: Array(arguments.dropFirst()))
      } else if let first = arguments.first, !first.hasPrefix("-") {
        throw unknownSubcommand(first)
      } else {
        let options = arguments.isEmpty ? ["--help"] : [arguments[0]]
        _ = try parse(TopLevel<Self>.self, as: name, arguments: options)
        throw UsageError("a subcommand is missing", "Try `\(name) --help' for the list.")
      }
      return .ok
    } catch {
      let program = subcommand.map { "\(name) \($0.name)" } ?? name
      if case .refused = error as? ParserExit, subcommand?.name == StopWords.stop {
        Output.complain("\(StopWords.warning): run `\(stopCommand)'.")
      }
      return Output(for: arguments).fail(error, in: program)
    }
  }

  private static func run<Command: Subcommand>(
    _ type: Command.Type,
    arguments: [String]
  ) async throws {
    let program = "\(name) \(type.usage.name)"
    let (command, isJSON) = try parse(type, as: program, arguments: arguments)
    try await resolve(command).run(Output(isJSON: isJSON))
  }

  package static func named(_ name: String) -> (any Subcommand.Type)? {
    (subcommands + workers).first { $0.name == name }
  }

  package static func unknownSubcommand(_ word: String) -> UsageError {
    let lower = word.lowercased()
    if let other = others.first(where: { $0.name == lower }), !other.isInstalled {
      return UsageError(other.absence(in: name))
    }
    let names = subcommands.map { $0.name } + others.map(\.name)
    let near =
      StopWords.meaning(of: lower) ?? synonyms[lower]
      ?? nearMiss(lower, among: names.contains(StopWords.stop) ? names : names + [StopWords.stop])
    var hint = near.map { "; did you mean '\($0)'?" } ?? ""
    if near == StopWords.stop {
      if !names.contains(StopWords.stop) { hint = ";" }
      hint += " \(StopWords.warning): run `\(stopCommand)'."
    }
    // It is never run by itself: a word must not be guessed.
    return UsageError(
      "there is no subcommand '\(word)'\(hint)",
      "Try `\(name) --help' for the list."
    )
  }

  /// What stops the machine from here.
  private static var stopCommand: String {
    func arguments<Command: Subcommand>(_ type: Command.Type) -> [String] {
      type.usage.arguments.map(\.label)
    }
    guard let stop = named(StopWords.stop) else { return "ballmachine stop" }
    return ([name, StopWords.stop] + arguments(stop)).joined(separator: " ")
  }
}

extension CommandOptions {
  fileprivate static var name: String { usage.name }
}

/// The program without a subcommand: lists the subcommands.
package struct TopLevel<Named: Program>: CommandOptions {
  package init() {}

  package static var usage: Usage<Self> {
    func others(in group: String?) -> [String] {
      Named.others.filter { $0.group == group }.map { "  \(padded($0.name, to: 12)) \($0.summary)" }
    }
    let groups = Named.groups.map { group in
      let lines = others(in: group.title) + group.members.map { line($0) }
      return ([group.title + ":"] + lines).joined(separator: "\n")
    }
    let own = others(in: nil)
    let beside = own.isEmpty ? [] : [(["Programs of their own:"] + own).joined(separator: "\n")]
    let usual = Named.usual.map { " Without a subcommand it is `\($0)'." } ?? ""
    return Usage(
      name: "",
      summary: Named.summary,
      alternatives: ["SUBCOMMAND [ARGUMENT...]"],
      details: """
        \((groups + beside).joined(separator: "\n\n"))

        `\(Named.name) help SUBCOMMAND' shows the details of one.\(usual)
        """
    )
  }

  private static func line<Command: Subcommand>(_ type: Command.Type) -> String {
    "  \(UsageReport(type.usage).text)"
  }
}
