import Clocks
import CourtLogic
import JSON
import Safety

/// Whether balls may fly, and why or why not, as part of a record's object.
struct SafetyFields: Encodable {
  private enum Key: CodingKey {
    case state, code, reason, remaining, holds, stop, balls
  }

  private enum DetailKey: CodingKey {
    case code, outcome, reason
  }

  private let status: SafetyStatus
  private let now: MonotonicInstant

  init(_ status: SafetyStatus, at now: MonotonicInstant) {
    self.status = status
    self.now = now
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(status.state.word, forKey: .state)
    try object.encodeIfPresent(status.state.code, forKey: .code)
    try object.encodeIfPresent(status.state.reason, forKey: .reason)
    try object.encodeIfPresent(
      status.state.remaining(at: now)?.seconds.rounded(places: 3),
      forKey: .remaining
    )
    var holds = object.nestedUnkeyedContainer(forKey: .holds)
    for hold in status.holds {
      var detail = holds.nestedContainer(keyedBy: DetailKey.self)
      try detail.encode(hold.code, forKey: .code)
      try detail.encode(hold.description, forKey: .reason)
    }
    if case .stopped(let outcome) = status.state {
      var stop = object.nestedContainer(keyedBy: DetailKey.self, forKey: .stop)
      try stop.encode(outcome?.word ?? "pending", forKey: .outcome)
      try stop.encodeIfPresent(outcome?.description, forKey: .reason)
    }
    try object.encode(status.balls, forKey: .balls)
  }
}

/// A decision that was kept back, as part of a record's object.
struct HeldFields: Encodable {
  private enum Key: CodingKey {
    case holds
  }

  private let held: HeldDecision

  init(_ held: HeldDecision) {
    self.held = held
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try DecisionFields(held.decision).encode(to: encoder)
    try object.encode(held.holds.map(\.code), forKey: .holds)
  }
}

/// A command by hand and what became of it, as part of a record's object.
struct ManualFields: Encodable {
  private enum Key: CodingKey {
    case number, digits, latency
  }

  private let dispatch: ManualDispatch

  init(_ dispatch: ManualDispatch) {
    self.dispatch = dispatch
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(dispatch.number, forKey: .number)
    try object.encode(dispatch.command.digits, forKey: .digits)
    try OutcomeFields(dispatch.outcome).encode(to: encoder)
    try object.encode(dispatch.latency.seconds.rounded(places: 6), forKey: .latency)
  }
}
