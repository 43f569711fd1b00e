import Bridge
import CourtLogic
import MachineLink

/// Seconds since the run began, at the beginning of each line for people.
struct ElapsedTime {
  var start: MonotonicInstant

  func text(_ instant: MonotonicInstant) -> String {
    let seconds = max(0, start.duration(to: instant) / .seconds(1))
    let text = seconds.fixed(3)
    return String(repeating: " ", count: max(0, 9 - text.count)) + text
  }
}

extension LinkStatus {
  /// Whether balls are real; unknown until BlueZ's objects have been read.
  var mode: String? {
    isSimulated.map { $0 ? "SIM" : "REAL" }
  }

  /// The machine as people call it.
  var machineText: String? {
    guard let machine else { return nil }
    return machineName.map { "\($0) \(machine)" } ?? "\(machine)"
  }

}

extension LinkStatus.Phase {
  /// For people; machines get the raw value.
  var words: String {
    switch self {
    case .waitingForBlueZ: "waiting for BlueZ"
    case .waitingForAdapter: "waiting for an adapter"
    case .backingOff: "backing off"
    case .shuttingDown: "shutting down"
    case .idle, .discovering, .connecting, .resolving, .ready, .ended: rawValue
    }
  }
}

extension LinkStatus {
  /// The fault and its remedy in one line.
  var trouble: String? {
    fault.map { $0.reason + (remedy.map { "; \($0)" } ?? "") }
  }
}

/// A change of the link.
struct LinkReport: Report {
  var status: LinkStatus
  var time: MonotonicInstant
  var elapsed: ElapsedTime

  var text: String { "\(elapsed.text(time))  link  \(summary)" }

  /// The text without its time.
  var summary: String {
    var parts = [status.phase.words]
    if let mode = status.mode { parts.append(mode) }
    if let machine = status.machineText { parts.append(machine) }
    if status.isChosenByMemory { parts.append("remembered") }
    if let profile = status.profile { parts.append("profile \(profile)") }
    if status.mayUseClassicBluetooth, status.phase == .ready {
      parts.append("warning: the adapter may also use classic Bluetooth (ControllerMode = le)")
    }
    if status.phase != .ready, let trouble = status.trouble { parts.append(trouble) }
    return parts.joined(separator: "  ")
  }
}

extension LinkReport: Encodable {
  private enum Key: CodingKey {
    case event, t, state, mode, machine, name, adapter, profile, rssi, failures, nextAttempt
    case reason, remedy, warning, remembered
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("link", forKey: .event)
    try object.encode(time.seconds.rounded(places: 6), forKey: .t)
    try object.encode(status.phase.rawValue, forKey: .state)
    try object.encodeIfPresent(status.mode, forKey: .mode)
    try object.encodeIfPresent(status.machine.map { "\($0)" }, forKey: .machine)
    try object.encodeIfPresent(status.machineName, forKey: .name)
    if status.isChosenByMemory { try object.encode(true, forKey: .remembered) }
    try object.encodeIfPresent(status.adapter?.address.map { "\($0)" }, forKey: .adapter)
    try object.encodeIfPresent(status.profile, forKey: .profile)
    try object.encodeIfPresent(status.signal?.rssi, forKey: .rssi)
    if status.failures > 0 { try object.encode(status.failures, forKey: .failures) }
    try object.encodeIfPresent(
      status.nextAttempt?.seconds.rounded(places: 6),
      forKey: .nextAttempt
    )
    if status.phase != .ready {
      try object.encodeIfPresent(status.fault?.reason, forKey: .reason)
      try object.encodeIfPresent(status.remedy, forKey: .remedy)
    } else if status.mayUseClassicBluetooth {
      try object.encode("the adapter may also use classic Bluetooth", forKey: .warning)
    }
  }
}

/// A command and what became of it.
struct DispatchReport: Report {
  var dispatch: Dispatch
  var elapsed: ElapsedTime

  var text: String {
    let decision = dispatch.decision
    let parts =
      ["\(elapsed.text(decision.time))  ball \(dispatch.number)"] + decision.columns + [
        dispatch.outcome.map(\.text) ?? "on its way", dispatch.latency.map(\.milliseconds) ?? "",
      ]
    return parts.joined(separator: "  ")
  }
}

extension DispatchReport: Encodable {
  private enum Key: CodingKey {
    case event, number, outcome, reason, latency
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("dispatch", forKey: .event)
    try object.encode(dispatch.number, forKey: .number)
    try DecisionFields(dispatch.decision).encode(to: encoder)
    try object.encodeIfPresent(dispatch.outcome?.word, forKey: .outcome)
    try object.encodeIfPresent(dispatch.outcome?.explanation, forKey: .reason)
    try object.encodeIfPresent(dispatch.latency?.seconds.rounded(places: 6), forKey: .latency)
  }
}

/// The stop command on the way out.
struct StopReport: Report {
  var outcome: WriteOutcome
  var time: MonotonicInstant
  var elapsed: ElapsedTime

  var text: String { "\(elapsed.text(time))  stop  \(outcome.text)" }
}

extension StopReport: Encodable {
  private enum Key: CodingKey {
    case event, t, outcome, reason
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("stop", forKey: .event)
    try object.encode(time.seconds.rounded(places: 6), forKey: .t)
    try object.encode(outcome.word, forKey: .outcome)
    try object.encodeIfPresent(outcome.explanation, forKey: .reason)
  }
}

/// What happens to the position feed, positions apart.
struct FeedReport: Report {
  var event: PositionEvent
  var time: MonotonicInstant
  var elapsed: ElapsedTime

  var text: String {
    let what =
      switch event {
      case .opened(let connection): "\(connection) opened"
      case .closed(let connection): "\(connection) closed"
      case .badLine(let line, let connection): "\(connection), \(line)"
      case .clientRefused(let limit): "a feeder was sent away: \(limit) are connected already"
      case .ended: "the positions have ended"
      case .position(let position, let source, _): "\(source): \(position.x) \(position.y)"
      }
    return "\(elapsed.text(time))  feed  \(what)"
  }
}

extension FeedReport: Encodable {
  private enum Key: CodingKey {
    case event, t, connection, state, line, reason, limit
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("feed", forKey: .event)
    try object.encode(time.seconds.rounded(places: 6), forKey: .t)
    switch event {
    case .opened(let connection):
      try object.encode("opened", forKey: .state)
      try object.encode(connection, forKey: .connection)
    case .closed(let connection):
      try object.encode("closed", forKey: .state)
      try object.encode(connection, forKey: .connection)
    case .badLine(let bad, let connection):
      try object.encode("badLine", forKey: .state)
      try object.encode(connection, forKey: .connection)
      try object.encode(bad.line, forKey: .line)
      try object.encode("\(bad.reason)", forKey: .reason)
    case .clientRefused(let limit):
      try object.encode("refused", forKey: .state)
      try object.encode(limit, forKey: .limit)
    case .ended:
      try object.encode("ended", forKey: .state)
    case .position(_, let source, _):
      try object.encode("position", forKey: .state)
      try object.encode(source.connection, forKey: .connection)
    }
  }
}

extension WriteOutcome {
  /// The outcome and why.
  var text: String {
    let words =
      switch self {
      case .delivered: "delivered"
      case .queued: "queued, not acknowledged"
      case .notSent: "not sent"
      case .unknown: "unknown"
      }
    return words + (explanation.map { ": \($0)" } ?? "")
  }
}

extension Duration {
  var seconds: Double { self / .seconds(1) }

  var milliseconds: String { "\((self / .milliseconds(1)).fixed(1)) ms" }
}
