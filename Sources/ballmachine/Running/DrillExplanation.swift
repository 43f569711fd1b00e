import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import Host
import JSON
import Programs
import Reports
import Service
import SessionSummary
import Training

/// What a drill would throw, drawn on the court: the last lines of `explain --drill`.
struct DrillExplanation: LinedReport {
  private let drill: Drill
  private let court: Court
  private let table: CommandTable
  private let fallback: Fallback
  private var progress: DrillProgress
  /// Where the player is taken to be.
  private var player: PlayerPosition
  /// How many balls for each zone, and for all.
  private(set) var shots: [Zone: Int] = [:]
  private(set) var count = 0

  init(_ drill: Drill, seed: Int?, in configuration: EffectiveConfiguration) {
    self.drill = drill
    court = configuration.values.court.court
    table = configuration.table
    fallback = configuration.values.court.fallback
    progress = DrillProgress(drill, seed: seed)
    do { player = try PlayerPosition(x: Court.width / 2, y: Court.length) } catch {
      preconditionFailure("the baseline is on the court: \(error)")
    }
  }

  /// The drill's next ball; nil after the last one.
  mutating func next() -> ShotReport? {
    guard !progress.isOver else { return nil }
    let (target, after) = progress.next(playerAt: player, on: court)
    let zone = target?.zone ?? court.zone(at: player)
    let aimed = target ?? zone.map { Target($0) }
    guard let command = table.command(for: aimed, orElse: fallback, at: drill.level) else {
      return nil
    }
    progress = after
    count += 1
    if let zone { shots[zone, default: 0] += 1 }
    let shot = ShotReport(
      number: count,
      set: after.set,
      ball: after.ball,
      x: player.x.rounded(places: 3),
      y: player.y.rounded(places: 3),
      target: zone?.description,
      spin: target?.spin?.rawValue,
      command: command.text
    )
    if let zone { player = court.middle(of: zone) }
    return shot
  }

  var lines: [String] {
    let size = drill.sets == 1 ? "" : "\(drill.sets) sets of "
    let rest =
      drill.rest > .zero && drill.sets > 1 ? ", rest \((drill.rest / .seconds(1)).plain) s" : ""
    let seed = drill.strategy.drawsLots ? ", seed \(progress.seed)" : ""
    return
      [
        "\(drill.name)\(drill.level.map { " (\($0.rawValue))" } ?? ""): \(size)"
          + "\(counted(drill.balls, "ball")), one every \((drill.interval / .seconds(1)).plain) s\(rest),"
          + " \(drill.length.seconds.rounded(.down).clockText) in all\(seed)"
      ] + CourtDrawing.text(court: court, counts: shots)
  }

  private enum Key: CodingKey {
    case event, name, seed, byZone
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("drill", forKey: .event)
    try object.encode(drill.name, forKey: .name)
    try object.encode(progress.seed, forKey: .seed)
    try DrillRecord.Level(drill).encode(to: encoder)
    try object.encode(
      Dictionary(uniqueKeysWithValues: shots.map { ($0.key.description, $0.value) }),
      forKey: .byZone
    )
  }
}

/// A ball that a drill would throw.
struct ShotReport: Report {
  var event = "shot"
  /// Counts the drill's balls, from 1.
  var number: Int
  /// Counts the sets, from 1.
  var set: Int
  /// How many balls of the set have left, this one included.
  var ball: Int
  /// Where the player is taken to be, in metres from the left sideline.
  var x: Double
  /// Where the player is taken to be, in metres from the net.
  var y: Double
  /// The zone that the ball is for; nil out of court.
  var target: String?
  /// How the ball turns: one of `flat`, `topspin`, `backspin`, `extreme-topspin` and `extreme-backspin`;
  /// nil where the drill doesn't say.
  var spin: String?
  var command: String

  var text: String {
    [
      "ball \(padded("\(number)", to: 4)) set \(padded("\(set)", to: 3))",
      (target.map { "to \($0)" } ?? "out of court") + (spin.map { " \($0)" } ?? ""),
      command,
    ].joined(separator: "  ")
  }
}
