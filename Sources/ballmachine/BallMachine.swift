import CLinux
import Glibc
import Host

/// The program: finds the subcommand, runs it, and turns its end into an exit code.
@main
enum BallMachine {
  /// By what people do, in the order of the help.
  static let groups: [(title: String, members: [any Subcommand.Type])] = [
    (
      "Play",
      [
        Status.self, Watch.self, Arm.self, Disarm.self, Pause.self, Resume.self, Stop.self,
        Reset.self,
      ]
    ),
    ("Send by hand", [Send.self, Console.self, Replay.self, ShowTable.self]),
    ("Try it without a machine", [Simulate.self, Explain.self, Mock.self]),
    (
      "Set up and run the service",
      [
        Scan.self, CheckConfig.self, CheckTable.self, CheckCalibration.self, Serve.self,
        Reload.self, ShowMetrics.self, SafeStop.self,
      ]
    ),
    ("Find out what is wrong", [Doctor.self, BugReport.self, Help.self]),
  ]

  static let subcommands = groups.flatMap(\.members)

  static func main() {
    let arguments = ordered(Array(CommandLine.arguments.dropFirst()))
    prepareFiles(for: arguments)
    // A reader that leaves is an error of `write`, not the end of a bridge that feeds balls.
    signal(SIGPIPE, SIG_IGN)
    // Otherwise each thread gets its own arena, which keeps freed memory; threads come and go.
    mallopt(M_ARENA_MAX, 2)
    OneThread.run { await run(arguments).rawValue }
  }

  /// Runs before anything is opened: no file may get a standard stream's number, and the limit of
  /// open files must suffice.
  private static func prepareFiles(for arguments: [String]) {
    let subcommand = arguments.first.flatMap(named)
    do {
      try StandardStreams.reopen()
      try OpenFileLimit.require(subcommand?.openFiles ?? 0)
    } catch {
      let name = subcommand.map { "ballmachine \($0.name)" } ?? "ballmachine"
      exit(Output(for: arguments).fail(error, in: name).rawValue)
    }
  }

  /// The command line with `--json` behind the subcommand, where it may also stand before it.
  static func ordered(_ arguments: [String]) -> [String] {
    let options = arguments.prefix { Output.isJSONOption($0) }
    let rest = arguments.dropFirst(options.count)
    guard let name = rest.first ?? (options.isEmpty ? nil : Help.usage.name), !name.hasPrefix("-")
    else { return Array(rest) }
    return [name] + options + rest.dropFirst()
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
        _ = try parse(TopLevel.self, as: "ballmachine", arguments: options)
      }
      return .ok
    } catch {
      let program = subcommand.map { "ballmachine \($0.name)" } ?? "ballmachine"
      return Output(for: arguments).fail(error, in: program)
    }
  }

  private static func run<Command: Subcommand>(
    _ type: Command.Type,
    arguments: [String]
  ) async throws {
    let command = try parse(type, arguments: arguments)
    let resolved = try await (command as? any AdapterSubcommand)?.withAdapterAddress() ?? command
    try await resolved.run(Output(command.output))
  }

  static func named(_ name: String) -> (any Subcommand.Type)? {
    subcommands.first { $0.name == name }
  }

  static func unknownSubcommand(_ name: String) -> UsageError {
    let word = name.lowercased()
    let meant = synonyms[word] ?? nearMiss(word, among: subcommands.map { $0.name })
    let hint = meant.map { "; did you mean '\($0)'?" } ?? ""
    // It is never run by itself: a word must not be guessed, and a stop must not be believed.
    let warning =
      meant == Stop.usage.name ? " NOTHING was stopped: run `ballmachine stop'." : ""
    return UsageError(
      "there is no subcommand '\(name)'\(hint)\(warning)\nTry `ballmachine --help' for the list."
    )
  }

  /// What people also say, and the verbs of the console that have another form here.
  private static let synonyms = {
    let stops = "abort cancel cease e-stop emergency end estop exit freeze halt kill off panic quit"
    let others = [
      "zone": "send --zone", "fields": "send --upper", "repeat": "console",
      "wait": "console",
    ]
    let stop = stops.split(separator: " ").map { (String($0), "stop") }
    return others.merging(stop) { other, _ in other }
  }()
}

extension CommandOptions {
  fileprivate static var name: String { usage.name }
}

/// `ballmachine` without a subcommand: lists the subcommands.
struct TopLevel: CommandOptions {
  var output = OutputOptions()

  static var usage: Usage<Self> {
    let groups = BallMachine.groups.map { group in
      ([group.title + ":"] + group.members.map { line($0) }).joined(separator: "\n")
    }
    return Usage(
      name: "",
      summary: "Drives a tennis ball machine over Bluetooth Low Energy",
      alternatives: ["SUBCOMMAND [ARGUMENT...]"],
      options: OutputOptions.options.within(\.output),
      details: """
        \(groups.joined(separator: "\n\n"))

        `ballmachine help SUBCOMMAND' shows the details of one.
        """
    )
  }

  private static func line<Command: Subcommand>(_ type: Command.Type) -> String {
    "  \(UsageReport(usage: type.usage).text)"
  }
}
