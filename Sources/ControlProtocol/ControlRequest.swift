import Clocks
package import CourtLogic
package import JSON

/// A method with its parameters. Clients write it, and the service reads it.
package enum ControlRequest: Hashable, Sendable {
  case status, table, metrics, feed, drills
  /// Events from now on; with an interval, the player's position too, at most so often.
  case subscribe(player: Duration? = nil)
  /// Nil: the configured countdown, and no label. Balls may fly only while the connection lasts, if
  /// that is asked.
  case arm(countdown: Duration? = nil, label: String? = nil, whileConnected: Bool = false)
  /// Goes on after a pause. Nil: the configured countdown. Balls may fly only while the connection
  /// lasts, if that is asked.
  case resume(countdown: Duration? = nil, whileConnected: Bool = false)
  /// What the next session trains; nil: no drill, at the loaded level.
  case drill(DrillChoice?)
  /// The level of what is trained; nil: none.
  case level(SkillLevel?)
  case disarm, pause, stop, reset
  /// The configuration is read again: only if that is asked, also from files that have lost all that
  /// they had.
  case reload(empty: Bool = false)
  /// A person has said that this device is our machine.
  case adopt(Adoption)
  /// Only after a person has confirmed that the court is clear; a stop needs no confirmation.
  case send(ManualCommand)

  /// A drill by its name.
  package struct DrillChoice: Hashable, Sendable {
    package var name: String
    /// Nil: the loaded one.
    package var level: SkillLevel?
    /// Nil: the drill's own, or one that is drawn.
    package var seed: Int?

    package init(_ name: String, level: SkillLevel? = nil, seed: Int? = nil) {
      self.name = name
      self.level = level
      self.seed = seed
    }
  }

  /// A device as a scan has heard it.
  package struct Adoption: Hashable, Sendable {
    /// The Bluetooth address, as BlueZ writes it.
    package var address: String
    /// `public` or `random`.
    package var addressType: String
    /// What it advertises.
    package var name: String?

    package init(address: String, addressType: String, name: String?) {
      self.address = address
      self.addressType = addressType
      self.name = name
    }
  }

  private static let longestLabel = 40
  /// A character of Unicode may have any number of bytes.
  private static let mostLabelBytes = 4 * longestLabel
  /// How long a label may be, for messages.
  package static let labelLength =
    "1 to \(longestLabel) characters, \(mostLabelBytes) bytes at most"

  /// Whether it names a player in one line.
  package static func isLabel(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= mostLabelBytes && text.count <= longestLabel
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

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
    case .feed: .feed
    case .drills: .drills
    case .drill: .drill
    case .level: .level
    case .arm: .arm
    case .disarm: .disarm
    case .pause: .pause
    case .resume: .resume
    case .stop: .stop
    case .reset: .reset
    case .reload: .reload
    case .adopt: .adopt
    case .send: .send
    }
  }

  package var parameters: [String: JSONValue] {
    switch self {
    case .subscribe(let interval?): ["player": .number(interval.seconds)]
    case .arm(let countdown, let label, let whileConnected):
      Self.parameters(countdown, label, whileConnected)
    case .resume(let countdown, let whileConnected):
      Self.parameters(countdown, nil, whileConnected)
    case .drill(nil), .level(nil): ["none": .boolean(true)]
    case .drill(let choice?):
      [
        "name": .string(choice.name), "level": choice.level.map { .string($0.rawValue) },
        "seed": choice.seed.map { .number(Double($0)) },
      ].compactMapValues(\.self)
    case .level(let level?): ["level": .string(level.rawValue)]
    case .reload(empty: true): ["empty": .boolean(true)]
    case .adopt(let device):
      [
        "address": .string(device.address), "addressType": .string(device.addressType),
        "name": device.name.map { .string($0) }, "confirmed": .boolean(true),
      ].compactMapValues(\.self)
    case .send(.command(let command)):
      ["command": .string(command.text), "confirmed": .boolean(true)]
    case .send(.zone(let zone)): ["zone": .string("\(zone)"), "confirmed": .boolean(true)]
    default: [:]
    }
  }

  private static func parameters(
    _ countdown: Duration?,
    _ label: String?,
    _ whileConnected: Bool
  ) -> [String: JSONValue] {
    [
      "countdown": countdown.map { .number($0.seconds) }, "label": label.map { .string($0) },
      "whileConnected": whileConnected ? .boolean(true) : nil,
    ].compactMapValues(\.self)
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
    case .feed: self = .feed
    case .drills: self = .drills
    case .drill: self = .drill(try parameters.takeDrill())
    case .level: self = .level(try parameters.takeLevelOrNone())
    case .arm:
      self = .arm(
        countdown: try parameters.takeCountdown(),
        label: try parameters.take("label", "a text of \(Self.labelLength)") {
          value in
          value.string.flatMap { Self.isLabel($0) ? $0 : nil }
        },
        whileConnected: try parameters.takeWhileConnected()
      )
    case .disarm: self = .disarm
    case .pause: self = .pause
    case .resume:
      self = .resume(
        countdown: try parameters.takeCountdown(),
        whileConnected: try parameters.takeWhileConnected()
      )
    case .stop: self = .stop
    case .reset: self = .reset
    case .reload:
      let empty = try parameters.take("empty", "true or false", \.boolean)
      self = .reload(empty: empty ?? false)
    case .adopt: self = .adopt(try parameters.takeAdoption())
    case .send: self = .send(try parameters.takeCommand())
    }
    try parameters.finish()
  }
}

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

  fileprivate mutating func takeWhileConnected() throws(ControlError) -> Bool {
    try take("whileConnected", "true or false", \.boolean) ?? false
  }

  private mutating func takeLevel() throws(ControlError) -> SkillLevel? {
    let words = SkillLevel.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
    return try take("level", words) { $0.string.flatMap(SkillLevel.init(rawValue:)) }
  }

  /// Nil: `"none": true`.
  fileprivate mutating func takeLevelOrNone() throws(ControlError) -> SkillLevel? {
    let isNone = try take("none", "true or false", \.boolean) ?? false
    let level = try takeLevel()
    guard isNone != (level != nil) else {
      throw .invalidParameters("give either “level” or “none”: true")
    }
    return level
  }

  fileprivate mutating func takeDrill() throws(ControlError) -> ControlRequest.DrillChoice? {
    let isNone = try take("none", "true or false", \.boolean) ?? false
    let name = try take("name", "a string", \.string)
    let level = try takeLevel()
    let seed = try take("seed", "a whole number", \.integer)
    guard isNone != (name != nil) else {
      throw .invalidParameters("give either “name” or “none”: true")
    }
    guard !isNone || (level == nil && seed == nil) else {
      throw .invalidParameters("“none” takes no “level” and no “seed”: the loaded level stays")
    }
    return name.map { ControlRequest.DrillChoice($0, level: level, seed: seed) }
  }

  fileprivate mutating func takeAdoption() throws(ControlError) -> ControlRequest.Adoption {
    let address = try take("address", "a string", \.string)
    let type = try take("addressType", "\"public\" or \"random\"") { value in
      value.string.flatMap { ["public", "random"].contains($0) ? $0 : nil }
    }
    let name = try take("name", "a text of 1 to 248 bytes") { value in
      value.string.flatMap { (1...248).contains($0.utf8.count) ? $0 : nil }
    }
    guard let address, let type else {
      throw .invalidParameters("give both “address” and “addressType”")
    }
    guard try take("confirmed", "true or false", \.boolean) ?? false else {
      throw .refused(
        "notConfirmed",
        "commands will be written to that device: make sure that it is your ball machine, and then"
          + " say “confirmed”: true"
      )
    }
    return ControlRequest.Adoption(address: address, addressType: type, name: name)
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
      throw .refused(
        "notConfirmed",
        "a ball may fly: check that the court is clear, and then say “confirmed”: true"
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
}
