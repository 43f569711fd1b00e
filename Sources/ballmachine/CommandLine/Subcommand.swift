/// What a command accepts, and its help: all that ``parse(_:as:arguments:mode:)`` needs.
struct Usage<Command: Sendable>: Sendable {
  /// As typed after `ballmachine`.
  var name: String
  /// One line for the list of subcommands and the top of the help, without a full stop.
  var summary: String
  /// The usage lines after `[OPTION...]`, one per alternative; by default the arguments.
  var alternatives: [String] = []
  /// In the help's order.
  var options: [Option<Command>] = []
  var arguments: [Argument<Command>] = []
  /// Shown after the options: examples, formats, notes.
  var details = ""
}

/// A value whose properties the command line fills: they start with their defaults.
protocol CommandOptions: Sendable {
  init()
  static var usage: Usage<Self> { get }

  /// Runs after all options are parsed: checks what a single option can't.
  func validate() throws(UsageError)
}

extension CommandOptions {
  func validate() throws(UsageError) {}
}

/// A subcommand that can be run.
protocol Subcommand: CommandOptions {
  /// Whether standard output carries JSON alone.
  var output: OutputOptions { get }

  /// How many files it must be able to open; it isn't started with less.
  static var openFiles: Int { get }

  /// Does the work; an error ends the process as ``ExitCode/init(for:)`` says.
  func run(_ output: Output) async throws
}

extension Subcommand {
  static var openFiles: Int { 64 }
}
