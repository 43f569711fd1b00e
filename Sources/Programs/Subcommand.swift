/// What a command accepts, and its help: all that ``parse(_:as:arguments:mode:)`` needs.
package struct Usage<Command: Sendable>: Sendable {
  /// The name that people type after `ballmachine`.
  package var name: String
  /// One line for the list of subcommands and the top of the help, without a full stop.
  package var summary: String
  /// The usage lines after `[OPTION...]`, one per alternative; by default the arguments.
  package var alternatives: [String] = []
  /// The options in the help's order; `--json` is the last one.
  package var options: [Option<Command>]
  package var arguments: [Argument<Command>] = []
  /// Shown after the options: examples, formats, notes.
  package var details = ""

  /// - Parameter printsJSON: whether it has the option `--json`.
  package init(
    name: String,
    summary: String,
    alternatives: [String] = [],
    options: [Option<Command>] = [],
    printsJSON: Bool = true,
    arguments: [Argument<Command>] = [],
    details: String = ""
  ) {
    self.name = name
    self.summary = summary
    self.alternatives = alternatives
    self.options = options + (printsJSON ? [.json] : [])
    self.arguments = arguments
    self.details = details
  }
}

/// A value whose properties the command line fills: they start with their defaults.
package protocol CommandOptions: Sendable {
  init()
  static var usage: Usage<Self> { get }

  /// Runs after all options are parsed: checks what a single option can't.
  func validate() throws(UsageError)
  /// Checks like ``validate()``, where `--json` counts, too.
  func validate(isJSON: Bool) throws(UsageError)
}

extension CommandOptions {
  package func validate(isJSON: Bool) throws(UsageError) { try validate() }
  package func validate() throws(UsageError) {}
}

/// A subcommand that can be run.
package protocol Subcommand: CommandOptions {
  /// How many files it must be able to open; it isn't started with less.
  static var openFiles: Int { get }

  /// Does the work; an error ends the process as ``ExitCode/init(for:)`` says.
  func run(_ output: Output) async throws
}

extension Subcommand {
  package static var openFiles: Int { 64 }
}
