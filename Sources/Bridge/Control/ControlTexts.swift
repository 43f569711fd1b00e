import Clocks
import ControlProtocol
import CourtLogic
import Host
import JSON
import Safety

/// The service's answers and events as the lines that a client gets.
struct ControlTexts: Sendable {
  /// Of the program.
  let version: String
  let clock: SystemClock
  /// Which configuration is in force.
  let configuration: @Sendable () -> StatusRecord.Configuration?

  func hello(role: ControlRole, groups: [String: String], mode: String?) -> [UInt8] {
    ControlMessage.notification(
      "hello",
      HelloRecord(version: version, role: role, groups: groups, mode: mode)
    )
  }

  func record(_ event: BridgeEvent, at instant: MonotonicInstant) -> EventRecord {
    EventRecord(event, at: instant, on: clock)
  }

  /// The line of the stop socket: the outcome, and the reason in words.
  func stopLine(_ answer: SafetyReply) -> [UInt8] {
    switch answer {
    case .stopped(let outcome, _): ControlMessage.line(StopRecord(outcome))
    // No service refuses a stop.
    case .accepted, .refused: ControlMessage.line(StopRecord(.unconfirmed))
    }
  }

  /// The answer to a stop that doesn't wait for its outcome.
  func pendingStop(_ id: JSONValue) -> [UInt8] {
    ControlMessage.response(
      id,
      StopRecord(
        outcome: "pending",
        reason: "as many stops of this user as are answered with their outcome wait for it already"
      )
    )
  }

  func response(_ id: JSONValue, _ answer: ControlAnswer) -> [UInt8] {
    switch answer {
    case .status(let snapshot):
      let record = StatusRecord(
        snapshot,
        version: version,
        configuration: configuration(),
        on: clock
      )
      return ControlMessage.response(id, record)
    case .metrics(let snapshot):
      return ControlMessage.response(
        id,
        MetricsRecord(text: Metrics(snapshot, version: version).text)
      )
    case .table(let commands):
      return ControlMessage.response(id, TableRecord(commands))
    case .safety(.accepted(let status)):
      return ControlMessage.response(id, SafetyAnswer(SafetyRecord(status, at: clock.now)))
    case .safety(.stopped(let outcome, let status)):
      let safety = SafetyRecord(status, at: clock.now)
      return ControlMessage.response(id, StopRecord(outcome, safety: safety))
    case .manual(.stopped(let outcome)):
      return ControlMessage.response(id, StopRecord(outcome))
    case .manual(.sent(let dispatch)):
      return ControlMessage.response(id, ManualRecord(dispatch))
    case .safety(.refused(let refusal)), .manual(.refused(let refusal)):
      return ControlMessage.failure(id, .refused(refusal))
    case .reload(.loaded(let record)):
      return ControlMessage.response(id, record)
    case .reload(.refused(let text)):
      return ControlMessage.failure(id, ControlError(.refused, text))
    case .failed(let error):
      return ControlMessage.failure(id, error)
    }
  }
}
