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

  private var event = Self.event
  private var t: Double
  private var time: String
  private var apron: Double
  private var fallback: String
  /// The digits by the zone's name.
  private var table: [String: String]

  init(_ recorded: RecordedCourt, at instant: MonotonicInstant, time: WallTime) {
    t = instant.seconds.rounded(places: 6)
    self.time = time.preciseISO8601
    apron = recorded.court.apron
    fallback = recorded.fallback.digits
    let digits = Zone.allCases.map { ($0.description, recorded.table[$0].digits) }
    table = Dictionary(uniqueKeysWithValues: digits)
  }

  /// Nil for a record that this program wouldn't write.
  var recorded: RecordedCourt? {
    guard let court = try? Court(apron: apron),
      let fallback = try? MachineCommand(digits: fallback),
      let table = try? CommandTable({ zone in
        try MachineCommand(digits: table[zone.description] ?? "")
      })
    else { return nil }
    return RecordedCourt(court: court, table: table, fallback: fallback)
  }
}
