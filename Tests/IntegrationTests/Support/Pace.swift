import Clocks
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
  /// So many probes in a row must have found nobody at work.
  private static let probes = 2
  /// The most that passes at once, should the probes overtake something.
  private static let step = Duration.seconds(5)
  /// Before so much passes at once, the processor is given up for a moment.
  private static let longStep = Duration.milliseconds(100)
  /// And before so much, which may be a call's limit, it is probed once more.
  private static let limit = Duration.seconds(4)

  private let fixture: LinkFixture
  private let mock: MockBlueZ
  private let clock: ManualClock
  private var connection: Connection
  private let isHeld: @Sendable () -> Bool

  /// - Parameter isHeld: whether time has to stand still for now.
  init(
    _ fixture: LinkFixture,
    _ mock: MockBlueZ,
    _ clock: ManualClock,
    _ connection: Connection,
    isHeld: @escaping @Sendable () -> Bool
  ) {
    self.fixture = fixture
    self.mock = mock
    self.clock = clock
    self.connection = connection
    self.isHeld = isHeld
  }

  /// Whatever changes when something is done.
  private struct Activity: Equatable {
    var sleeps: Int
    var traffic: WatchedCentral.Traffic
    var events: Int
    var status: LinkStatus
  }

  mutating func run() async {
    var last: Activity?
    var names: [String] = []
    var quiet = 0
    while !Task.isCancelled {
      // While time is held, things may happen behind a probe: the probes begin again afterwards.
      guard !isHeld() else {
        quiet = 0
        try? await Task.sleep(for: .milliseconds(1))
        continue
      }
      await ping(names)
      await mock.isIdle()
      let activity = await Activity(
        sleeps: clock.activity,
        traffic: fixture.watched.traffic,
        events: fixture.events.total,
        status: fixture.link.status
      )
      let isJournalled = await mock.published == activity.events
      if activity == last, isJournalled, activity.traffic.prompt == 0 {
        quiet += 1
      } else {
        quiet = 0
        names = await connections()
      }
      last = activity
      let next = clock.nextDeadline.map { clock.now.duration(to: $0) } ?? Self.step
      guard quiet >= Self.probes + (next >= Self.limit ? 1 : 0) else {
        // On a busy box some task may not have had its turn: let it, before much passes at once.
        if quiet > 0, next >= Self.longStep { try? await Task.sleep(for: .milliseconds(1)) }
        continue
      }
      quiet = 0
      clock.advance(by: min(max(next, .zero), Self.step))
    }
  }

  /// All connections answer, so each has seen by then what was sent to it before: the mock says
  /// that it lives, and the link's that it has no such object.
  private func ping(_ names: [String]) async {
    await withDiscardingTaskGroup { group in
      for name in names {
        group.addTask { [connection] in
          _ = try? await connection.call(
            MethodCall(
              destination: name,
              path: .root,
              interface: "org.freedesktop.DBus.Peer",
              member: "Ping"
            )
          )
        }
      }
    }
  }

  private mutating func connections() async -> [String] {
    do throws(DBusError) {
      let list = MethodCall(
        destination: "org.freedesktop.DBus",
        path: .root,
        interface: "org.freedesktop.DBus",
        member: "ListNames"
      )
      let names = try await connection.call(list).arguments.first?.strings ?? []
      return names.filter { $0.hasPrefix(":") && $0 != connection.uniqueName }
    } catch {
      // Without a bus nothing is to be overtaken there; it may come back.
      try? await Task.sleep(for: .milliseconds(1))
      if let reopened = try? await Connection.open(fixture.setup.bus) { connection = reopened }
      return []
    }
  }
}

extension MockBlueZ {
  /// Returns when the mock has done all that it was asked before: a verb that can't be done waits
  /// for its turn as all others do, and changes nothing.
  fileprivate func isIdle() async {
    try? await perform(.drop(machine: "nobody"))
  }
}
