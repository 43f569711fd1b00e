import Clocks
import ControlProtocol
import CourtLogic
import Host
import JSON
import Safety

/// The service's answers and events as the lines that a client gets.
struct ControlTexts: Sendable {
  /// The program's version.
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

  private func record(_ stop: StopRecord) -> EventRecord {
    let now = clock.now
    return EventRecord(
      .stop(stop),
      t: now.seconds.rounded(places: 6),
      time: WallTime(of: now, on: clock)
    )
  }

  /// The answer to a stop that doesn't wait for its outcome.
  func pendingStop(_ id: JSONValue, mode: String?) -> [UInt8] {
    let stop = StopRecord(
      outcome: "pending",
      reason:
        "this user has too many stops waiting for an outcome; this one is carried out, but its outcome is not reported",
      mode: mode
    )
    return ControlMessage.response(id, record(stop))
  }

  /// What happened is answered with the record of the event.
  ///
  /// - Parameter mode: `SIM` or `REAL`; nil while the service doesn't know.
  func response(_ id: JSONValue, _ answer: ControlAnswer, mode: String?) -> [UInt8] {
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
    case .feed(let feed):
      return ControlMessage.response(id, FeedersRecord(feed))
    case .table(let commands):
      return ControlMessage.response(id, commands)
    case .safety(.accepted(let status)):
      return ControlMessage.response(id, record(.safety(status), at: clock.now))
    case .safety(.stopped(let outcome, let status)):
      let safety = SafetyRecord(status, at: clock.now)
      return ControlMessage.response(
        id,
        record(StopRecord(outcome, mode: mode, safety: safety))
      )
    case .manual(.stopped(let outcome)):
      return ControlMessage.response(id, record(StopRecord(outcome, mode: mode)))
    case .manual(.sent(let manual, let instant)):
      return ControlMessage.response(
        id,
        record(.record(.manual(manual), at: instant), at: clock.now)
      )
    case .safety(.refused(let refusal)), .manual(.refused(let refusal)):
      return ControlMessage.failure(id, .refused(refusal))
    case .training(let status):
      return ControlMessage.response(id, record(.training(status), at: clock.now))
    case .drills(let record):
      return ControlMessage.response(id, record)
    case .adoption(let record):
      return ControlMessage.response(id, record)
    case .reload(let record):
      return ControlMessage.response(id, record)
    case .failed(let error):
      return ControlMessage.failure(id, error)
    }
  }
}
