/// What a command accepts and says about itself: all that ``parse(_:as:arguments:mode:)`` needs.
struct Usage<Command: Sendable>: Sendable {
  /// As one types it after `ballmachine`.
  var name: String
  /// One line for the list of subcommands and the top of the help, without a full stop.
  var summary: String
  /// The usage line behind `[OPTION...]`, one entry an alternative; by default the arguments.
  var alternatives: [String] = []
  /// In the help's order.
  var options: [Option<Command>] = []
  var arguments: [Argument<Command>] = []
  /// Shown behind the options: examples, formats, what is worth knowing.
  var details = ""
}

/// A value whose properties the command line fills: they start with their defaults.
protocol CommandOptions: Sendable {
  init()
  static var usage: Usage<Self> { get }

  /// Checks after all options are in: what no single option can know.
  func validate() throws(UsageError)
}

extension CommandOptions {
  func validate() throws(UsageError) {}
}

/// A subcommand that can be run.
protocol Subcommand: CommandOptions {
  /// Whether standard output carries JSON alone.
  var output: OutputOptions { get }

  /// The files that it must be able to open: it isn't started with less.
  static var openFiles: Int { get }

  /// Does the work; an error ends the process as ``ExitCode/init(for:)`` says.
  func run(_ output: Output) async throws
}

extension Subcommand {
  static var openFiles: Int { 64 }
}
