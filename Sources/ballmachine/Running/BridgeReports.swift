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
