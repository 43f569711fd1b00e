import Configuration
import CourtLogic
import CourtMapping
import JSON
import Options
import Positions
import Programs
import Service
import Training

/// `ballmachine explain`: from a position or a zone to the fields of its command, without a radio.
struct Explain: Subcommand {
  var x: Double?
  var y: Double?
  var u: Double?
  var v: Double?
  var zone: Zone?
  /// A command, or a position's X.
  fileprivate var first: First?
  var drill: String?
  var level: SkillLevel?
  var seed: Int?
  var balls: Int?
  var configuration = ConfigurationOptions()
  var court = CourtOptions()

  static let usage = Usage<Self>(
    name: "explain",
    summary: "Show the zone, the command and its fields for a position",
    alternatives: [
      "X Y", "--x METRES --y METRES", "--u PIXELS --v PIXELS", "--zone ZONE", "COMMAND",
      "--drill DRILL",
    ],
    options: [
      .value("x", .coordinate, \.x, "Metres to the right of the net's left corner"),
      .value("y", .coordinate, \.y, "Metres from the net towards the baseline"),
      .value(
        "u",
        .pixels,
        \.u,
        "Pixels from the left side of the picture of court.calibration, where a foot is"
      ),
      .value("v", .pixels, \.v, "Pixels from its upper side"),
      .value("zone", .zone, \.zone, "A zone: 0 to 15, or row-column such as 1-1"),
      .value("drill", .text("DRILL"), \.drill, "A drill: show its balls; `drills' lists the names"),
      .value(
        "level",
        .choice("LEVEL"),
        \.level,
        "The drill's level: beginner, intermediate or advanced"
      ),
      .value(
        "seed",
        .integer("N", in: Drill.seeds),
        \.seed,
        "Draw the drill's shots with this seed (default: its own, or 0)"
      ),
      .value(
        "balls",
        .integer("N", in: 1...100_000),
        \.balls,
        "Show so many of its balls (default: all)"
      ),
    ] + ConfigurationOptions.options.within(\.configuration)
      + CourtOptions.options.within(\.court),
    arguments: [.optional(.commandOrX, \.first), .optional(.y, \.y)],
    details: """
      X and Y are metres, as --x and --y take them, which also take negative ones. \(Self.commands)

      The court as the player's camera sees it, 8.23 m by 11.885 m, the net at y = 0; it is drawn \
      where court.rows or court.columns make its zones unequal:

        0-0 0-1 0-2 0-3   net
        1-0 1-1 1-2 1-3
        2-0 2-1 2-2 2-3
        3-0 3-1 3-2 3-3   baseline

      A drill is shown ball by ball, and as the court with the number of balls for each zone. Where \
      its aim depends on the player, the player is taken to be where the last ball went, and to \
      begin in the middle of the baseline.

      Example: ballmachine explain 4.1 13.2 --apron 3
      """
  )

  fileprivate enum First: Sendable {
    case command(MachineCommand)
    case x(Double)
  }

  private var command: MachineCommand? {
    if case .command(let given) = first { given } else { nil }
  }
  private var firstX: Double? { if case .x(let given) = first { given } else { nil } }

  /// The two forms of a command.
  static let commands = """
    COMMAND is 18 digits: upper motor (5), lower motor (5), pitch (4), yaw (4). Where \
    machine.encoding is framed, it is upper,lower,pitch,yaw,feed, in percent and degrees, such as \
    40,40,20,45,50.
    """

  func validate() throws(UsageError) {
    if let number = firstX, y == nil, Zone(number.plain) != nil {
      throw UsageError("COMMAND '\(number.plain)': did you mean --zone \(number.plain)?")
    }
    let forms = [
      x != nil, firstX != nil, y != nil && x == nil && firstX == nil, u != nil || v != nil,
      zone != nil, command != nil, drill != nil,
    ]
    guard forms.count(where: { $0 }) == 1 else {
      throw UsageError(
        "give either a position (X and Y, or --u and --v), or --zone, or a command, or --drill"
      )
    }
    guard drill != nil || (level == nil && seed == nil && balls == nil) else {
      throw UsageError("--level, --seed and --balls need --drill")
    }
    guard (x ?? firstX == nil) == (y == nil) else {
      throw UsageError("a position needs both X and Y")
    }
    guard (u == nil) == (v == nil) else {
      throw UsageError("a picture point needs both --u and --v")
    }
  }

  func run(_ output: Output) async throws {
    guard let drill else { return try await output.write(try explanation()) }
    let configuration = try configuration.effective(court: court)
    let found = try self.configuration.drills.drill(drill, at: level, in: configuration)
    var explanation = DrillExplanation(found, seed: seed, in: configuration)
    while explanation.count < balls ?? found.ballCount, let shot = explanation.next() {
      try await output.write(shot)
    }
    try await output.write(explanation)
  }

  func explanation() throws -> Explanation {
    let configuration = try configuration.effective(court: court)
    let (table, court) = (configuration.table, configuration.values.court.court)
    if let command {
      return Explanation(
        subject: .command(table.zones(of: command)),
        command: command,
        isStop: configuration.values.machine.isStop(command)
      )
    }
    if let zone {
      return Explanation(subject: .zone(zone), court: court, command: table[zone])
    }
    let position = try position(configuration)
    let found = court.zone(at: position)
    return Explanation(
      subject: .position(position, found, configuration.values.court.fallback),
      court: court,
      command: found.map { table[$0] } ?? configuration.fallback
    )
  }

  private func position(_ configuration: EffectiveConfiguration) throws -> PlayerPosition {
    if let x = x ?? firstX, let y { return try PlayerPosition(x: x, y: y) }
    guard let u, let v else { throw UsageError("a position needs both X and Y") }
    guard let calibration = configuration.calibration else {
      throw Failure(.configuration, "--u and --v need court.calibration, which names no file")
    }
    do throws(PositionLineError) {
      return try calibration.position(u: u, v: v)
    } catch {
      throw Failure(.badData, error)
    }
  }
}

extension ValueKind where Value == Double {
  /// As ``coordinate``, with the argument's name.
  fileprivate static var y: ValueKind { ValueKind("Y", parse: ValueKind.coordinate.parse) }
}

extension ValueKind where Value == Explain.First {
  /// A command, or metres from the net's left corner.
  fileprivate static var commandOrX: ValueKind {
    ValueKind("COMMAND") { (text) throws(UsageError) in
      if let x = try? ValueKind<Double>.coordinate.parse(text) { return .x(x) }
      return .command(try ValueKind<MachineCommand>.commandWithoutZone.parse(text))
    }
  }
}
