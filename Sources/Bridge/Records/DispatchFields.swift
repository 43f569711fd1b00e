import Clocks
package import CourtLogic
import JSON
import MachineLink

/// A command and what became of it, as part of a record's object.
struct DispatchFields: Encodable {
  private enum Key: CodingKey {
    case number, latency
  }

  private let dispatch: Dispatch

  init(_ dispatch: Dispatch) {
    self.dispatch = dispatch
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(dispatch.number, forKey: .number)
    try DecisionFields(dispatch.decision).encode(to: encoder)
    if let outcome = dispatch.outcome { try OutcomeFields(outcome).encode(to: encoder) }
    try object.encodeIfPresent(dispatch.latency?.seconds.rounded(places: 6), forKey: .latency)
  }
}

/// What every record of a decision says of it, as part of that record's object.
package struct DecisionFields: Encodable {
  private enum Key: CodingKey {
    case t, x, y, samples, zone, digits
  }

  private let decision: Decision

  package init(_ decision: Decision) {
    self.decision = decision
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(decision.time.seconds.rounded(places: 6), forKey: .t)
    try object.encode(decision.position.x.rounded(places: 4), forKey: .x)
    try object.encode(decision.position.y.rounded(places: 4), forKey: .y)
    try object.encode(decision.sampleCount, forKey: .samples)
    // Out of court is null, not absent.
    try object.encode(decision.zone?.description, forKey: .zone)
    try object.encode(decision.command.digits, forKey: .digits)
  }
}

/// What became of a write, as part of a record's object.
struct OutcomeFields: Encodable {
  private enum Key: CodingKey {
    case outcome, reason
  }

  private let outcome: WriteOutcome

  init(_ outcome: WriteOutcome) {
    self.outcome = outcome
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(outcome.word, forKey: .outcome)
    try object.encodeIfPresent(outcome.explanation, forKey: .reason)
  }
}
