import Clocks
package import CourtLogic
import Host
import JSON

/// The court and commands that a session's decisions used.
package struct RecordedCourt: Hashable, Sendable {
  package var court: Court
  package var table: CommandTable
  /// The command for positions out of court.
  package var fallback: MachineCommand

  /// - Parameter fallback: by default the table's entry of zone 1-1.
  package init(court: Court, table: CommandTable, fallback: MachineCommand? = nil) {
    self.court = court
    self.table = table
    self.fallback = fallback ?? table[.fallback]
  }
}

/// A ``RecordedCourt`` as a record of the log.
struct CourtRecord: Codable {
  static let event = "court"

  private var t: Double
  private var time: String
  private var apron: Double
  private var fallback: String
  /// The command by the zone's name.
  private var commands: [String: String]

  init(_ recorded: RecordedCourt, at instant: MonotonicInstant, time: WallTime) {
    t = instant.seconds.rounded(places: 6)
    self.time = time.preciseISO8601
    apron = recorded.court.apron
    fallback = recorded.fallback.text
    commands = recorded.table.texts
  }

  private enum Key: CodingKey {
    case event, t, time, apron, fallback, commands, table
  }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    t = try object.decode(Double.self, forKey: .t)
    time = try object.decode(String.self, forKey: .time)
    apron = try object.decode(Double.self, forKey: .apron)
    fallback = try object.decode(String.self, forKey: .fallback)
    // The name of the protocol's first version is `table`.
    commands = try object.decode(
      [String: String].self,
      forKey: object.contains(.commands) ? .commands : .table
    )
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(Self.event, forKey: .event)
    try object.encode(t, forKey: .t)
    try object.encode(time, forKey: .time)
    try object.encode(apron, forKey: .apron)
    try object.encode(fallback, forKey: .fallback)
    try object.encode(commands, forKey: .commands)
  }

  /// Nil for a record that this program wouldn't write.
  var recorded: RecordedCourt? {
    guard let court = try? Court(apron: apron),
      let fallback = try? MachineCommand(text: fallback),
      let table = try? CommandTable({ zone in
        try MachineCommand(text: commands[zone.description] ?? "")
      })
    else { return nil }
    return RecordedCourt(court: court, table: table, fallback: fallback)
  }
}
