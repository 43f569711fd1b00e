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

  func hello(role: ControlRole, mode: String?) -> [UInt8] {
    ControlMessage.notification(
      "hello",
      ControlMessage.Hello(version: version, role: role, mode: mode)
    )
  }

  func record(_ event: BridgeEvent, at instant: MonotonicInstant) -> EventRecord {
    EventRecord(event, at: instant, on: clock)
  }

  /// The line of the stop socket: the outcome, and the reason in words.
  func stopLine(_ answer: SafetyReply) -> [UInt8] {
    switch answer {
    case .stopped(let outcome, _): ControlMessage.line(StopResult(outcome, nil))
    // No service refuses a stop.
    case .accepted, .refused: ControlMessage.line(StopResult(.unconfirmed, nil))
    }
  }

  /// The answer to a stop that doesn't wait for its outcome.
  func pendingStop(_ id: JSONValue) -> [UInt8] {
    ControlMessage.response(
      id,
      [
        "outcome": "pending",
        "reason":
          "as many stops of this user as are answered with their outcome wait for it already",
      ]
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
      return ControlMessage.response(id, ["text": Metrics(snapshot, version: version).text])
    case .table(let commands):
      return ControlMessage.response(id, TableResult(commands))
    case .safety(.accepted(let status)):
      return ControlMessage.response(id, ["safety": SafetyFields(status, at: clock.now)])
    case .safety(.stopped(let outcome, let status)):
      return ControlMessage.response(id, StopResult(outcome, SafetyFields(status, at: clock.now)))
    case .manual(.stopped(let outcome)):
      return ControlMessage.response(id, StopResult(outcome, nil))
    case .manual(.sent(let dispatch)):
      return ControlMessage.response(id, ManualFields(dispatch))
    case .safety(.refused(let refusal)), .manual(.refused(let refusal)):
      return ControlMessage.failure(id, .refused(refusal))
    case .reload(.loaded(let applied, let atRestart)):
      return ControlMessage.response(id, ["applied": applied, "atRestart": atRestart])
    case .reload(.refused(let text)):
      return ControlMessage.failure(id, ControlError(.refused, text))
    case .failed(let error):
      return ControlMessage.failure(id, error)
    }
  }
}

/// What became of a stop.
private struct StopResult: Encodable {
  let outcome: String
  let reason: String
  let safety: SafetyFields?

  init(_ outcome: StopOutcome, _ safety: SafetyFields?) {
    self.outcome = outcome.word
    reason = "\(outcome)"
    self.safety = safety
  }
}

/// The commands in force.
private struct TableResult: Encodable {
  let zones: [String: String]
  let outOfCourt: String
  let stop: String

  init(_ commands: CommandsInForce) {
    zones = Dictionary(
      uniqueKeysWithValues: Zone.allCases.map { ("\($0)", commands.table[$0].digits) }
    )
    outOfCourt = commands.fallback.digits
    stop = commands.stop.digits
  }
}
