import Configuration
import ControlProtocol
import CourtLogic
import Host
import Programs
import Reports

/// What ``Explain`` found.
struct Explanation: LinedReport {
  /// What was asked.
  enum Subject {
    case position(PlayerPosition, Zone?, Fallback)
    case zone(Zone)
    /// The command, with the zones that have it.
    case command([Zone])
  }

  var subject: Subject
  /// Drawn if its zones are not equal.
  var court = Court()
  var command: MachineCommand
  /// Whether it stops the machine.
  var isStop = false

  var lines: [String] {
    let fields = command.fields.map { field, value in
      "  \(padded(field.name, to: 12)) \(value)\(command.encoding.unit(of: field))"
    }
    return subjectLines + ["command  \(command)"] + fields + drawing
  }

  private var drawing: [String] {
    guard court.rows != nil || court.columns != nil else { return [] }
    let (lit, player): (Zone?, PlayerPosition?) =
      switch subject {
      case .position(let position, let zone, _): (zone, position)
      case .zone(let zone): (zone, nil)
      case .command: (nil, nil)
      }
    return CourtDrawing.text(court: court, lit: lit, player: player)
  }

  private var subjectLines: [String] {
    switch subject {
    case .position(let position, let zone, let fallback):
      [
        "position x \(position.x) m, y \(position.y) m",
        zone.map { "zone     \($0) (id \($0.id))" }
          ?? "zone     none: out of court, so the fallback, \(fallback.words)",
      ]
    case .zone(let zone):
      ["zone     \(zone) (id \(zone.id))"]
    case .command(let zones):
      [
        "zone     "
          + (zones.isEmpty
            ? (isStop ? "none: this is the stop command" : "none has this command")
            : zones.map { "\($0) (id \($0.id))" }.joined(separator: ", "))
      ]
    }
  }
}

extension Explanation: Encodable {
  private enum Key: String, CodingKey {
    case event, x, y, zone, zoneID = "zoneId", zones, command, fields
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("explanation", forKey: .event)
    switch subject {
    case .position(let position, let zone, _):
      try object.encode(position.x, forKey: .x)
      try object.encode(position.y, forKey: .y)
      try object.encode(zone?.description, forKey: .zone)
      try object.encode(zone?.id, forKey: .zoneID)
    case .zone(let zone):
      try object.encode(zone.description, forKey: .zone)
      try object.encode(zone.id, forKey: .zoneID)
    case .command(let zones):
      try object.encode(zones.map(\.description), forKey: .zones)
    }
    try object.encode(command.text, forKey: .command)
    try object.encode(
      Dictionary(uniqueKeysWithValues: command.fields.map { ($0.field.rawValue, $0.value) }),
      forKey: .fields
    )
  }
}

extension Fallback {
  fileprivate var words: String {
    switch self {
    case .zone(let zone): "the command of zone \(zone)"
    case .command: "a command of its own"
    }
  }
}

extension LinkRecord {
  /// What a person is asked before this machine gets a command by hand.
  func question(on command: MachineCommand, of zones: [Zone]) -> [String] {
    Explanation(subject: .command(zones), command: command).lines + [
      "machine  \(mode ?? "SIM or REAL is not known")  \(machineText ?? "no machine is connected")",
      "This may throw a ball at once. Is the court clear?",
    ]
  }
}
