import Host

/// `help [SUBCOMMAND]`: the same text as `SUBCOMMAND --help`.
package struct Help<Named: Program>: Subcommand {
  package var subcommand: String?

  package init() {}

  package static var usage: Usage<Self> {
    Usage<Self>(
      name: "help",
      summary: "Show what a subcommand does and accepts",
      arguments: [.optional(.text("SUBCOMMAND"), \.subcommand)],
      details: """
        With --json it prints one object for each subcommand, or for the given one. The manual page \
        is generated from them.
        """
    )
  }

  package func run(_ output: Output) async throws {
    guard let subcommand else {
      if output.style == .json {
        for type in Named.subcommands { try await write(type, to: output) }
      } else {
        _ = try parse(TopLevel<Named>.self, as: Named.name, arguments: ["--help"])
      }
      return
    }
    guard let type = Named.named(subcommand) else {
      Named.others.first { $0.name == subcommand }?
        .showHelp(output.style == .json ? ["--json"] : [])
      throw Named.unknownSubcommand(subcommand)
    }
    if output.style == .json {
      try await write(type, to: output)
    } else {
      try show(type)
    }
  }

  private func show<Command: Subcommand>(_ type: Command.Type) throws {
    _ = try parse(type, as: "\(Named.name) \(type.usage.name)", arguments: ["--help"])
  }

  private func write<Command: Subcommand>(_ type: Command.Type, to output: Output) async throws {
    try await output.write(UsageReport(type.usage))
  }
}

/// A subcommand's usage.
package struct UsageReport: Report {
  /// An option of a subcommand.
  struct Option: Encodable, Sendable {
    /// The option's name without dashes, as all names here.
    var name: String
    /// The letter that stands for it, without a dash.
    var short: String?
    /// The value's name; nil for a flag.
    var value: String?
    /// What it does.
    var help: String
  }

  var event = "subcommand"
  /// The subcommand's name.
  var name: String
  /// The subcommand in a few words.
  var summary: String
  /// How the subcommand is called.
  var synopsis: [String]
  /// The subcommand's options.
  var options: [Option]
  /// The rest of the subcommand's help.
  var details: String

  init<Command: Subcommand>(_ usage: Usage<Command>) {
    name = usage.name
    summary = usage.summary
    synopsis = usage.synopsis.filter { !$0.isEmpty }
    options = usage.options.map {
      Option(name: $0.name, short: $0.short.map(String.init), value: $0.label, help: $0.help)
    }
    details = usage.details
  }

  /// The subcommand's line in the list of subcommands.
  package var text: String { "\(padded(name, to: 12)) \(summary)" }
}
