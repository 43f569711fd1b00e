import ControlProtocol
import CourtLogic
import Host
import JSON

/// Sessions as CSV for spreadsheets, one a row: decimal points, commas, local time.
package enum SessionTable {
  private struct Column: Sendable {
    var name: String
    var value: @Sendable (Session) -> String?

    init(_ name: String, _ value: @escaping @Sendable (Session) -> String?) {
      self.name = name
      self.value = value
    }
  }

  private static let columns = training + commands + zones + safety + player

  private static let training = [
    Column("session") { "\($0.name.run)" },
    Column("arming") { "\($0.name.arming)" },
    Column("begin") { $0.begin.localDate },
    Column("mode") { $0.mode.map(quoted) },
    Column("drill") { $0.drill.map(quoted) },
    Column("level") { $0.level.map(quoted) },
    Column("label") { $0.label.map(quoted) },
    Column("aim") { $0.aim.map(quoted) },
    Column("seed") { $0.seed.map { "\($0)" } },
    Column("seconds") { $0.seconds.fixed(1) },
    Column("live") { $0.live.fixed(1) },
    Column("rested") { $0.rested.fixed(1) },
    Column("set") { $0.progress.map { "\($0.set)" } },
    Column("sets") { $0.progress.map { "\($0.sets)" } },
    Column("ball") { $0.progress.map { "\($0.ball)" } },
    Column("ballsPerSet") { $0.progress.map { "\($0.ballsPerSet)" } },
  ]

  private static let commands = [
    Column("balls") { "\($0.balls)" },
    Column("delivered") { "\($0.outcomes.delivered)" },
    Column("queued") { "\($0.outcomes.queued)" },
    Column("notSent") { "\($0.outcomes.notSent)" },
    Column("unknown") { "\($0.outcomes.unknown)" },
    Column("byHand") { "\($0.manualCommands)" },
  ]

  private static let zones =
    Zone.allCases.map { zone in Column("zone \(zone)") { "\($0.targets[zone.id])" } } + [
      Column("outOfCourt") { "\($0.outOfCourt)" }
    ]

  private static let safety = [
    Column("holds") { "\($0.holds.map(\.count).reduce(0, +))" },
    Column("held") { $0.holds.map(\.seconds).reduce(0, +).fixed(1) },
    Column("pauses") { "\($0.pauses.map(\.count).reduce(0, +))" },
    Column("paused") { $0.pauses.map(\.seconds).reduce(0, +).fixed(1) },
    Column("ending") { quoted($0.ending.code) },
  ]

  private static let player = [
    Column("seen") { $0.movement?.seen.fixed(1) },
    Column("distance") { $0.movement?.distance.fixed(1) },
    Column("meanSpeed") { $0.movement?.meanSpeed.fixed(3) },
    Column("greatestSpeed") { $0.movement?.greatestSpeed?.fixed(2) },
    Column("firstStep") { $0.movement?.firstStep?.fixed(3) },
    Column("firstSteps") { $0.movement?.firstSteps.map { "\($0)" } },
    Column("lacks") { $0.lacks.map(\.rawValue).sorted().joined(separator: " ") },
  ]

  package static let head = columns.map(\.name).joined(separator: ",")

  /// - Returns: a line, without its end.
  package static func row(_ session: Session) -> String {
    columns.map { $0.value(session) ?? "" }.joined(separator: ",")
  }

  /// A text that a spreadsheet takes for nothing else: not for a formula, not for two cells.
  private static func quoted(_ text: String) -> String {
    let isFormula = text.first.map { "=+-@".contains($0) } ?? false
    let safe = (isFormula ? "'" : "") + text.printable
    guard safe.contains(where: { $0 == "," || $0 == "\"" }) else { return safe }
    return "\"" + safe.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }
}
