/// The command for each of the 16 zones, and others for a level, a spin or both.
package struct CommandTable: Hashable, Sendable {
  /// The plain entries, in the order of the zones.
  private let commands: [MachineCommand]
  private let additions: [Stroke: MachineCommand]

  /// Asks for the command of each zone in turn.
  package init<Failure>(_ command: (Zone) throws(Failure) -> MachineCommand) throws(Failure) {
    var commands: [MachineCommand] = []
    for zone in Zone.allCases { commands.append(try command(zone)) }
    self.commands = commands
    additions = [:]
  }

  /// Reads a table: a line `row-column,digits`, or `row-column,upper,lower,pitch,yaw,feed`, for
  /// each zone, in any order.
  ///
  /// A first line with the columns' names, blank lines, lines that begin with `#`, CRLF and a byte
  /// order mark are all fine. With the first line, there may be columns `level` and `spin` behind
  /// `zone`, and more lines for a zone; one of them has neither. Everything else is an error that
  /// names its line.
  ///
  /// - Parameter limits: have the encoding of the commands.
  package init(csv: String, limits: MachineLimits = .widest) throws(CommandTableError) {
    let lines = CommandTableLines(of: csv, limits: limits)
    if let first = lines.errors.first { throw first }
    commands = Zone.allCases.compactMap { lines.entries[Stroke(zone: $0)]?.command }
    additions = lines.entries.filter { !$0.key.isPlain }.mapValues(\.command)
  }

  /// Reads ``texts`` and ``strokeTexts`` back; nil if they are not a table's.
  package init?(texts: [String: String], strokeTexts: [String: String]) {
    let plain = Zone.allCases.compactMap { zone in
      texts["\(zone)"].flatMap { try? MachineCommand(text: $0) }
    }
    var additions: [Stroke: MachineCommand] = [:]
    for (name, text) in strokeTexts {
      guard let stroke = Stroke(name), !stroke.isPlain,
        let command = try? MachineCommand(text: text)
      else { return nil }
      additions[stroke] = command
    }
    guard plain.count == Zone.allCases.count else { return nil }
    commands = plain
    self.additions = additions
  }

  /// What is wrong with a table, line by line, as far as the first 50 mistakes; nothing if it can be
  /// read.
  package static func errors(
    csv: String,
    limits: MachineLimits = .widest
  ) -> [CommandTableError] {
    CommandTableLines(of: csv, limits: limits).errors
  }

  /// The zone's plain entry.
  package subscript(zone: Zone) -> MachineCommand { commands[zone.id] }

  /// Exactly that entry; nil if the table lacks it.
  package func command(for stroke: Stroke) -> MachineCommand? {
    stroke.isPlain ? self[stroke.zone] : additions[stroke]
  }

  /// All entries: the plain ones, then the others by their names.
  package var entries: [(stroke: Stroke, command: MachineCommand)] {
    zip(Zone.allCases, commands).map { (Stroke(zone: $0), $1) }
      + additions.sorted { "\($0.key)" < "\($1.key)" }.map { ($0, $1) }
  }

  /// The levels of the entries beside the plain ones.
  package var levels: Set<SkillLevel> { Set(additions.keys.compactMap(\.level)) }

  /// The plain commands by the zones' names.
  package var texts: [String: String] {
    Dictionary(uniqueKeysWithValues: Zone.allCases.map { ("\($0)", self[$0].text) })
  }

  /// The other commands by the strokes' names; nil if there are none.
  package var strokeTexts: [String: String]? {
    guard !additions.isEmpty else { return nil }
    return Dictionary(uniqueKeysWithValues: additions.map { ("\($0)", $1.text) })
  }

  /// The entries that have the command.
  package func strokes(of command: MachineCommand) -> [Stroke] {
    entries.filter { $0.command == command }.map(\.stroke)
  }

  /// The zones that have the command, at any level and spin.
  package func zones(of command: MachineCommand) -> [Zone] {
    Set(strokes(of: command).map(\.zone)).sorted()
  }
}
