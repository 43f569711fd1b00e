import Clocks
package import CourtLogic
import Host
import JSON
import Positions

/// The court, commands and interval that a run's decisions used, as a record of the log.
package struct CourtRecord: Codable {
  /// The longest line of a run log, in bytes: a table with a command for each stroke has 17,000.
  package static let longestLine = 1 << 16
  package static let event = "court"

  private var event = Self.event
  private var t: Double
  private var time: String
  private var apron: Double
  private var fallback: String
  /// The zone whose command ``fallback`` is; nil: a command of its own, or an older log.
  private var fallbackZone: String?
  /// The command by the zone's name.
  private var commands: [String: String]?
  /// The commands by their name in the protocol's first version.
  private var table: [String: String]?
  /// The commands for a level and a spin; nil: the table has none.
  private var strokes: [String: String]?
  /// The time from one ball to the next, in seconds; nil in a log from the time when it was always
  /// 3.
  private var interval: Double?
  /// The edges in metres; nil: equal ones.
  private var rows: [Double]?
  private var columns: [Double]?

  init(_ recorded: LogicManager.Settings, at instant: MonotonicInstant, time: WallTime) {
    t = instant.seconds.rounded(places: 6)
    self.time = time.preciseISO8601
    apron = recorded.court.apron
    fallback = recorded.table.command(for: recorded.fallback).text
    if case .zone(let zone) = recorded.fallback { fallbackZone = "\(zone)" }
    commands = recorded.table.texts
    strokes = recorded.table.strokeTexts
    interval = recorded.interval.seconds
    rows = recorded.court.rows?.metres
    columns = recorded.court.columns?.metres
  }

  /// Nil for a record that this program wouldn't write.
  package var court: Court? { try? Court(apron: apron, rows: rows, columns: columns) }

  /// Nil for a record that this program wouldn't write.
  var recorded: LogicManager.Settings? {
    guard let court,
      let fallback = try? MachineCommand(text: fallback),
      let table = CommandTable(texts: commands ?? self.table ?? [:], strokeTexts: strokes ?? [:]),
      let interval = interval.map(Timestamp.duration) ?? LogicManager.standardInterval,
      interval > .zero
    else { return nil }
    let zone = fallbackZone.flatMap { Zone(rowColumn: $0[...]) }
    return LogicManager.Settings(
      court: court,
      table: table,
      fallback: zone.map(Fallback.zone) ?? .command(fallback),
      interval: interval
    )
  }
}
