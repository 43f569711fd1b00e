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
    try await output.write(UsageReport(usage: type.usage))
  }
}

/// A subcommand's usage, for machines.
package struct UsageReport<Command: Subcommand>: Report {
  package var usage: Usage<Command>

  package init(usage: Usage<Command>) {
    self.usage = usage
  }

  /// The subcommand's line in the list of subcommands.
  package var text: String { "\(padded(usage.name, to: 12)) \(usage.summary)" }
}

extension UsageReport: Encodable {
  private enum Key: CodingKey {
    case event, name, summary, synopsis, options, details
  }

  private struct OptionFields: Encodable {
    /// The option's name without dashes, as all names here.
    package var name: String
    package var short: String?
    /// The value's name; nil for a flag.
    package var value: String?
    package var help: String
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("subcommand", forKey: .event)
    try object.encode(usage.name, forKey: .name)
    try object.encode(usage.summary, forKey: .summary)
    try object.encode(usage.synopsis.filter { !$0.isEmpty }, forKey: .synopsis)
    let options = usage.options.map {
      OptionFields(name: $0.name, short: $0.short.map(String.init), value: $0.label, help: $0.help)
    }
    try object.encode(options, forKey: .options)
    try object.encode(usage.details, forKey: .details)
  }
}
