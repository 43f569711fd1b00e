import Clocks
import CourtLogic
import DBus
import MachineLink
import MockMachine
import Testing

extension LinkFixture {
  /// When a method was called so far, in seconds of the fixture's clock.
  func times(of method: String) async -> [Double] {
    await events.entries.filter { $0.kind.isCall(of: method) }.map(\.time)
  }

  /// Calls BlueZ through a connection of its own.
  func callAsAnotherProgram(
    _ member: String,
    of interface: String,
    on path: String,
    _ arguments: [Value] = []
  ) async throws {
    let connection = try await Connection.open(setup.bus)
    let call = MethodCall(
      destination: "org.bluez",
      path: try ObjectPath(path),
      interface: interface,
      member: member,
      arguments: arguments
    )
    _ = try await connection.call(call)
    await connection.close()
  }
}

extension LinkFixture {
  /// Waits for an entry into a phase after all that was, or after a moment.
  @discardableResult
  func reachesNext(
    _ phase: LinkStatus.Phase,
    after moment: MonotonicInstant? = nil
  ) async throws -> LinkStatus {
    let moment = moment ?? now
    while true {
      let status = try await reaches(phase)
      if status.since >= moment { return status }
    }
  }

  /// When bluetoothd last told of the machine's object.
  func lastReturnOfObjects(before end: MonotonicInstant) async -> MonotonicInstant? {
    await events.entries.last { event in
      guard event.time <= end.seconds + 0.001 else { return false }
      return if case .appeared(Self.machine, _) = event.kind { true } else { false }
    }.map { MonotonicInstant(sinceStart: .seconds($0.time)) }
  }

  /// For how long of a recovery nobody but the link could act: from each end of an operation or of
  /// a wait for BlueZ to the link's next call or to its end. Delays of the back-off don't count, and
  /// in a scan the link looks for a second machine on purpose.
  func ourShare(from start: MonotonicInstant, to end: MonotonicInstant) async -> Duration {
    var share = Duration.zero
    var ours: MonotonicInstant?
    var isStarting = false
    let delays = await phases.entries.filter { status in
      status.nextAttempt.map { $0 > status.since } ?? false
    }
    func pass(to instant: MonotonicInstant) {
      guard let since = ours else { return }
      ours = nil
      // What BlueZ told may have been heard before it was written down.
      let heard = since.advanced(by: .milliseconds(-50))
      let isDelay = delays.contains { $0.since >= heard && $0.since <= instant }
      if !isDelay { share += since.duration(to: instant) }
    }
    for event in await events.entries {
      let instant = MonotonicInstant(sinceStart: .seconds(event.time))
      guard instant >= start, instant <= end else { continue }
      switch event.kind {
      case .called: pass(to: instant)
      case .up: isStarting = true
      case .appeared where isStarting:
        isStarting = false
        ours = instant
      case .disconnected, .discoveryStopped, .resolved, .powered: ours = instant
      default: break
      }
    }
    pass(to: end)
    return share
  }
}

extension LinkFixture {
  /// When the link was made.
  func firstStatus() async throws -> MonotonicInstant {
    try await statuses.next("a status") { _ in true }.since
  }

  /// When the method was called last.
  func lastCall(of method: String) async -> MonotonicInstant {
    MonotonicInstant(sinceStart: .seconds(await times(of: method).last ?? 0))
  }

  /// Waits for the fall of a connection.
  func loss() async throws -> MonotonicInstant {
    let loss = try await events.next("a loss") { event in
      if case .disconnected = event.kind { true } else { false }
    }
    return MonotonicInstant(sinceStart: .seconds(loss.time))
  }

  /// Waits until bluetoothd tells of the machine's object after a start.
  func returnOfObjects() async throws -> MonotonicInstant {
    try await happens("the death") { $0 == .down }
    try await happens("the start") { $0 == .up }
    let event = try await events.next("the machine's object") { event in
      if case .appeared(Self.machine, _) = event.kind { true } else { false }
    }
    return MonotonicInstant(sinceStart: .seconds(event.time))
  }
}

extension Setup {
  /// What a crashed program leaves behind.
  func leaveAPendingConnect() async throws {
    let crashed = try await Connection.open(bus)
    let call = MethodCall(
      destination: "org.bluez",
      path: try ObjectPath("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"),
      interface: "org.bluez.Device1",
      member: "Connect"
    )
    let pending = Task.immediate { try await crashed.call(call) }
    // The bus takes them in their order.
    _ = try await crashed.call(Bus.call("GetId"))
    await crashed.close()
    _ = try? await pending.value
  }
}
