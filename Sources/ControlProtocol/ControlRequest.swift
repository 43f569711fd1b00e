import Clocks
package import CourtLogic
package import JSON

/// A method with its parameters. Clients write it, and the service reads it.
package enum ControlRequest: Hashable, Sendable {
  case status, table, metrics
  /// With an interval, the player's position too, at most so often.
  case subscribe(player: Duration? = nil)
  /// Nil: the configured countdown.
  case arm(countdown: Duration? = nil)
  case disarm, pause, resume, stop, reset, reload
  /// Only after a person has confirmed that the court is clear; a stop needs no confirmation.
  case send(ManualCommand)

  /// A command by hand.
  package enum ManualCommand: Hashable, Sendable {
    case command(MachineCommand)
    /// The table's command for this zone.
    case zone(Zone)

    /// All zeros stop every machine.
    fileprivate var isStop: Bool {
      if case .command(let command) = self { command.isStop } else { false }
    }
  }

  package var method: ControlMethod {
    switch self {
    case .status: .status
    case .subscribe: .subscribe
    case .table: .table
    case .metrics: .metrics
    case .arm: .arm
    case .disarm: .disarm
    case .pause: .pause
    case .resume: .resume
    case .stop: .stop
    case .reset: .reset
    case .reload: .reload
    case .send: .send
    }
  }

  package var parameters: [String: JSONValue] {
    switch self {
    case .subscribe(let interval?): ["player": .number(interval.seconds)]
    case .arm(let countdown?): ["countdown": .number(countdown.seconds)]
    case .send(.command(let command)):
      ["command": .string(command.text), "confirmed": .boolean(true)]
    case .send(.zone(let zone)): ["zone": .string("\(zone)"), "confirmed": .boolean(true)]
    default: [:]
    }
  }

  package init(
    _ method: ControlMethod,
    _ parameters: [String: JSONValue]
  ) throws(ControlError) {
    var parameters = parameters
    switch method {
    case .status: self = .status
    case .subscribe: self = .subscribe(player: try parameters.takeInterval())
    case .table: self = .table
    case .metrics: self = .metrics
    case .arm: self = .arm(countdown: try parameters.takeCountdown())
    case .disarm: self = .disarm
    case .pause: self = .pause
    case .resume: self = .resume
    case .stop: self = .stop
    case .reset: self = .reset
    case .reload: self = .reload
    case .send: self = .send(try parameters.takeCommand())
    }
    try parameters.finish()
  }
}

/// The named parameters of a request. Each is taken once; an unknown one is an error, because to
/// ignore a misspelt one would do something that isn't meant.
extension [String: JSONValue] {
  /// Seconds, far beyond what the safety rules allow, but within what a duration can hold.
  private static var durations: ClosedRange<Double> { 0...86_400 }

  /// Seconds between two positions. A camera has one every 0.03 s.
  private static var intervals: ClosedRange<Double> { 0.02...3_600 }

  fileprivate mutating func takeInterval() throws(ControlError) -> Duration? {
    try take("player", "a number of seconds from 0.02 to 3600") { value in
      value.number.flatMap { Self.intervals.contains($0) ? .seconds($0) : nil }
    }
  }

  fileprivate mutating func takeCountdown() throws(ControlError) -> Duration? {
    try take("countdown", "a number of seconds, 0 or more") { value in
      value.number.flatMap { Self.durations.contains($0) ? .seconds($0) : nil }
    }
  }

  fileprivate mutating func takeCommand() throws(ControlError) -> ControlRequest.ManualCommand {
    let text = try take("command", "a string", \.string)
    let zone = try take("zone", "a zone, such as \"1-1\" or 5") { value in
      value.integer.flatMap(Zone.init(id:)) ?? value.string.flatMap { Zone($0) }
    }
    let fields = try take("fields", "an object") { value -> Self? in
      guard case .object(let members) = value else { return nil }
      return members
    }
    let isConfirmed = try take("confirmed", "true or false", \.boolean) ?? false

    let command: ControlRequest.ManualCommand
    switch (text, zone, fields) {
    case (let text?, nil, nil):
      do { command = .command(try MachineCommand(text: text)) } catch {
        throw .invalidParameters("\(error)")
      }
    case (nil, let zone?, nil): command = .zone(zone)
    case (nil, nil, var fields?): command = .command(try fields.takeFields())
    default: throw .invalidParameters("give one of “command”, “zone” and “fields”")
    }
    guard isConfirmed || command.isStop else {
      throw ControlError(
        .refused,
        "a ball may fly: check that the court is clear, and then say “confirmed”: true",
        data: ["code": .string("notConfirmed")]
      )
    }
    return command
  }

  private mutating func takeFields() throws(ControlError) -> MachineCommand {
    let encoding = MachineEncoding(hasFeed: keys.contains(MachineCommand.Field.feed.rawValue))
    var values: [Int] = []
    for field in encoding.fields {
      guard let value = try take(field.rawValue, "a whole number", \.integer) else {
        throw .invalidParameters("“fields” has no “\(field.rawValue)”")
      }
      values.append(value)
    }
    try finish()
    do { return try MachineCommand(encoding, values) } catch {
      throw .invalidParameters("\(error)")
    }
  }

  private mutating func take<Taken>(
    _ name: String,
    _ kind: String,
    _ read: (JSONValue) -> Taken?
  ) throws(ControlError) -> Taken? {
    guard let value = removeValue(forKey: name) else { return nil }
    guard let taken = read(value) else { throw .invalidParameters("“\(name)” is not \(kind)") }
    return taken
  }

  fileprivate func finish() throws(ControlError) {
    guard let name = keys.min() else { return }
    throw .invalidParameters("there is no parameter “\(name.prefix(40))” here")
  }
}
