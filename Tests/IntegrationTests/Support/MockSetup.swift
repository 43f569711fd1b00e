import Clocks
import CourtLogic
import DBus
import Glibc
import Host
import MachineLink
import MockMachine
import TestSupport

/// The mock on a bus of its own, where time flows as fast as everybody keeps up with it, or in real
/// time with BlueZ's real delays.
final class MockSetup: Setup {
  let bus: BusAddress
  let clock: any MonotonicClock
  let mock: MockBlueZ
  private let privateBus: PrivateBus
  /// The pace's own connection.
  private let pacemaker: Connection
  private let run: Task<Void, Never>
  /// Whether something takes its time that is none of the clock's.
  private let isTimeHeld = Locked(false)

  private init(_ model: MockModel, _ clock: some MonotonicClock) async throws {
    self.clock = clock
    privateBus = try PrivateBus.start()
    bus = .address(privateBus.address)
    mock = MockBlueZ(
      bus: privateBus.address,
      model: model,
      version: PlayedBlueZ.version,
      clock: clock
    )
    do {
      try await mock.start()
      pacemaker = try await Connection.open(bus)
    } catch {
      privateBus.stop()
      throw error
    }
    run = Task { [mock] in await mock.run() }
  }

  static func set(_ model: MockModel, clock: any MonotonicClock) async throws -> MockSetup {
    try await MockSetup(model, clock)
  }

  var events: AsyncStream<MockEvent> { mock.events }

  func perform(_ verb: MockVerb) async throws { try await mock.perform(verb) }

  func received(by machine: MockAddress) async -> [MockWrite] { await mock.received(by: machine) }

  func stopBus() { privateBus.stop() }

  func restartBus(downFor: Duration) async throws {
    // It must not tell of bluetoothd's end before its own.
    if let process = privateBus.processID { _ = kill(process, SIGSTOP) }
    try await mock.perform(.down)
    defer { isTimeHeld.withLock { $0 = false } }
    try await privateBus.restart {
      try await clock.sleep(for: downFor)
      // The daemon starts as fast as the box lets it.
      isTimeHeld.withLock { $0 = true }
    }
  }

  func holdTime(_ isHeld: Bool) { isTimeHeld.withLock { $0 = isHeld } }

  func keepTime(of fixture: LinkFixture) async {
    guard let clock = clock as? ManualClock else { return }
    var pace = Pace(fixture, mock, clock, pacemaker) { [isTimeHeld] in isTimeHeld.withLock(\.self) }
    await pace.run()
  }

  func close() async {
    await mock.stop()
    await run.value
    await pacemaker.close()
    privateBus.stop()
  }

  /// What ``traces(of:after:)`` calls a link that the verb `link` has made.
  static let othersLink = "another program's connection"

  func traces(of machine: MockAddress?, after events: [MockEvent]) -> [String] {
    var scans: Set<String> = []
    var links: [MockAddress: String] = [:]
    var newest: (link: MockAddress, event: MockEvent)?
    for event in events {
      switch event.kind {
      case .discoveryStarted(let adapter, let client): scans.insert("\(client) on \(adapter)")
      case .discoveryStopped(let adapter, let client): scans.remove("\(client) on \(adapter)")
      case .connected(let machine, _):
        links[machine] = "a connection"
        newest = (machine, event)
      case .verb("link"):
        if let newest, newest.event.time == event.time { links[newest.link] = Self.othersLink }
      case .disconnected(let machine, _, _), .removed(let machine, _): links[machine] = nil
      case .down:
        scans = []
        links = [:]
      default: break
      }
    }
    return scans.map { "a scan of \($0)" }
      + links.filter { machine == nil || $0.key == machine }.map { "\($1) to \($0)" }
  }
}
