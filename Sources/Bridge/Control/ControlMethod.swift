import ControlProtocol
import CourtLogic
import JSON
import Safety

/// What can be asked of the service on its control socket, with its parameters checked.
enum ControlMethod: Hashable, Sendable {
  case status
  case subscribe
  case table
  case metrics
  case safety(SafetyRequest)
  case reload
  case send(ManualCommand)

  /// A command by hand, in any of its forms.
  enum ManualCommand: Hashable, Sendable {
    case command(MachineCommand)
    /// The table's command for this zone.
    case zone(Zone)
  }

  static let names = [
    "status", "subscribe", "table", "metrics", "arm", "disarm", "pause", "resume",
    ControlMessage.stopMethod,
    "reset", "reload", "send",
  ]

  /// Seconds, far beyond what the safety rules allow, but within what a duration can hold.
  private static let durations = 0.0...86_400

  /// The role that a method needs; nil if there is no such method.
  static func role(of name: String) -> ControlRole? {
    switch name {
    case ControlMessage.stopMethod: ControlRole.none
    case "status", "subscribe", "table", "metrics": .reader
    case "arm", "disarm", "pause", "resume", "reset", "reload": .operator
    case "send": .technician
    default: nil
    }
  }

  /// Whether balls may fly because of it: then the request is dropped if its client has gone.
  var mayFeed: Bool {
    switch self {
    case .safety(.arm), .safety(.resume), .safety(.reset), .send, .reload: true
    case .status, .subscribe, .table, .metrics, .safety: false
    }
  }

  /// - Parameter name: one of ``names``.
  init(_ name: String, _ parameters: ControlParameters) throws(ControlError) {
    var parameters = parameters
    switch name {
    case "status": self = .status
    case "subscribe": self = .subscribe
    case "table": self = .table
    case "metrics": self = .metrics
    case "arm": self = .safety(.arm(countdown: try Self.countdown(&parameters)))
    case "disarm": self = .safety(.disarm)
    case "pause": self = .safety(.pause)
    case "resume": self = .safety(.resume)
    case ControlMessage.stopMethod: self = .safety(.stop)
    case "reset": self = .safety(.reset)
    case "reload": self = .reload
    case "send": self = try Self.send(&parameters)
    default:
      throw ControlError(
        .methodNotFound,
        "there is no method “\(name.prefix(40))”: there are \(Self.names.joined(separator: ", "))"
      )
    }
    try parameters.finish()
  }

  private static func countdown(
    _ parameters: inout ControlParameters
  ) throws(ControlError) -> Duration? {
    let seconds = try parameters.take("countdown", "a number of seconds, 0 or more") { value in
      value.number.flatMap { durations.contains($0) ? $0 : nil }
    }
    return seconds.map { .seconds($0) }
  }

  private static func send(
    _ parameters: inout ControlParameters
  ) throws(ControlError) -> ControlMethod {
    let digits = try parameters.take("digits", "a string", \.string)
    let zone = try parameters.take("zone", "a zone, such as \"1-1\" or 5") { value in
      value.integer.flatMap(Zone.init(id:)) ?? value.string.flatMap { Zone($0) }
    }
    let fields = try parameters.take("fields", "an object") { value -> [String: JSONValue]? in
      guard case .object(let members) = value else { return nil }
      return members
    }
    let isConfirmed = try parameters.take("confirmed", "true or false", \.boolean) ?? false

    let command: ManualCommand
    switch (digits, zone, fields) {
    case (let digits?, nil, nil):
      command = try checked { () throws(MachineCommandError) in try MachineCommand(digits: digits) }
    case (nil, let zone?, nil): command = .zone(zone)
    case (nil, nil, let fields?): command = try Self.command(ControlParameters(fields))
    default: throw .invalidParameters("give one of “digits”, “zone” and “fields”")
    }
    // A stop needs no confirmation.
    guard isConfirmed || command == .command(.stop) else {
      throw ControlError(
        .refused,
        "a ball may fly: check that the court is clear, and then say “confirmed”: true",
        data: ["reason": .string("notConfirmed")]
      )
    }
    return .send(command)
  }

  private static func command(
    _ fields: ControlParameters
  ) throws(ControlError) -> ManualCommand {
    var fields = fields
    var values: [Int] = []
    for name in ["upperMotor", "lowerMotor", "pitch", "yaw"] {
      guard let value = try fields.take(name, "a whole number", \.integer) else {
        throw .invalidParameters("“fields” has no “\(name)”")
      }
      values.append(value)
    }
    try fields.finish()
    return try checked { () throws(MachineCommandError) in
      try MachineCommand(
        upperMotor: values[0],
        lowerMotor: values[1],
        pitch: values[2],
        yaw: values[3]
      )
    }
  }

  private static func checked(
    _ command: () throws(MachineCommandError) -> MachineCommand
  ) throws(ControlError) -> ManualCommand {
    do { return .command(try command()) } catch { throw .invalidParameters("\(error)") }
  }
}
