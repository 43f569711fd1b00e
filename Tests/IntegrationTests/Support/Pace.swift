import CourtLogic
import DBus
import MachineLink
import MockMachine
import TestSupport

/// Lets the time of a ``ManualClock`` flow as fast as everybody keeps up with it.
///
/// Time stands still while messages travel and tasks run, so that neither a busy box nor a slow one
/// lets deadlines pass that the code would have kept; and minutes pass in moments while all wait.
struct Pace: Sendable {
  /// A probe goes the way of all calls: through the bus to the mock, and to the link.
  private static let probes = 3
  /// The most that passes at once, should the probes overtake something.
  private static let step = Duration.milliseconds(250)

  let clock: ManualClock
  let connection: Connection
  let mock: MockBlueZ
  let link: BallMachineLink

  func run() async {
    var activity = clock.activity
    var quiet = 0
    while !Task.isCancelled {
      await probe()
      quiet = clock.activity == activity ? quiet + 1 : 0
      activity = clock.activity
      guard quiet >= Self.probes else { continue }
      quiet = 0
      let next = clock.nextDeadline.map { clock.now.duration(to: $0) } ?? Self.step
      clock.advance(by: min(max(next, .zero), Self.step))
    }
  }

  private func probe() async {
    do throws(DBusError) {
      _ = try await connection.call(Self.ping, timeout: nil)
    } catch {
      // Without a bus nobody answers, and nothing is to be overtaken there.
      if error.name == DBusError.disconnected { try? await Task.sleep(for: .milliseconds(1)) }
    }
    _ = await mock.received(by: "00:00:00:00:00:00")
    _ = await link.status
  }

  private static let ping = MethodCall(
    destination: "org.bluez",
    path: .root,
    interface: "org.freedesktop.DBus.Peer",
    member: "Ping"
  )
}
