import Clocks
import ControlProtocol
package import Host
import JSON
package import MachineLink
import Safety

extension StopLoop.Actions {
  /// Stops a service.
  package init(_ service: any ControlledService, clock: SystemClock) {
    self.init(
      stop: {
        let reply = await service.perform(.stop)
        return Self.line(reply, mode: await service.snapshot.link.mode, on: clock)
      },
      beginStop: { await service.beginStop() }
    )
  }

  /// Stops the machine of a link that no service has.
  package init(_ link: BallMachineLink, clock: SystemClock) {
    self.init(
      stop: {
        let outcome = StopOutcome(await link.sendStop())
        return Self.line(outcome, mode: await link.status.mode, on: clock)
      },
      beginStop: { _ = await link.sendStop() }
    )
  }

  static func line(_ reply: SafetyReply, mode: String?, on clock: SystemClock) -> [UInt8] {
    // No service refuses a stop.
    var outcome = StopOutcome.unconfirmed
    if case .stopped(let known, _) = reply { outcome = known }
    return line(outcome, mode: mode, on: clock)
  }

  private static func line(_ outcome: StopOutcome, mode: String?, on clock: SystemClock) -> [UInt8]
  {
    let now = clock.now
    let record = EventRecord(
      .stop(StopRecord(outcome, mode: mode)),
      t: now.seconds.rounded(places: 6),
      time: WallTime(of: now, on: clock)
    )
    return ControlMessage.line(record)
  }
}
