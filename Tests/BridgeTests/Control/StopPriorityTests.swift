import CourtLogic
import JSON
import MachineLink
import Safety
import TestSupport
import Testing

@testable import Bridge
@testable import ControlProtocol
@testable import Host

/// A stop overtakes all that waits: its write leaves before any ball that is not with BlueZ yet.
///
/// These queues lie between a client's bytes and BlueZ:
///
/// 1. The client's socket: a stop waits only behind what the same client has sent. The loop looks at
///    the stop socket before each job.
/// 2. ``RequestQueue``: a client's requests wait for each other, a stop doesn't.
/// 3. The jobs of the ``EventLoop``, where an urgent job goes first. The service, the link and the
///    connection share its executor: they have no mailboxes beside it.
/// 4. Balls: none waits, the service hands each to the link in the job that decides it.
/// 5. ``CommandLanes``: the stop command has a lane of its own.
/// 6. The link's operations: none waits, each begins as soon as the lanes say so.
///
/// These tests hold the loop's thread while the queues fill.
@Suite(.serialized, .mustEnd) struct StopPriorityTests {
  @Test(arguments: Stopper.Way.allCases)
  func aStopOvertakesWaitingRequestsAndBalls(way: Stopper.Way) async throws {
    let fixture = try await FloodFixture()
    try await fixture.run(way) { crowd, stopper in
      // The ball is due, and its decision waits for its turn when the stop comes.
      let due = try await fixture.holdWithBallDue()
      let waiting = fixture.loop.waiting
      for client in crowd {
        for id in 1...8 { await client.ask("status", id: id) }
      }
      try await fixture.wait(for: waiting + crowd.count)
      let start = SuspendingClock.now
      await stopper.stop()
      if way == .controlSocket { try await fixture.wait(for: waiting + crowd.count + 1) }
      due.release()

      #expect(await stopper.outcome() == "confirmed")
      let write = try #require(fixture.writes.withLock(\.first))
      print("load: a stop's write left \(start.duration(to: write.time)) after the stop was sent")
      #expect(write.answered == 0)
      for client in crowd { _ = await client.answer(to: 8) }
      let written = await fixture.written
      #expect(written == [ServiceFixture.stop], "\(written)")
    }
  }

  /// A stop may overtake the reset before it: the reset must not undo it. Nil: on its connection.
  @Test(arguments: [nil] + Stopper.Way.allCases)
  func noRequestUndoesALaterStop(way: Stopper.Way?) async throws {
    let fixture = try await FloodFixture()
    try await fixture.run(way ?? .stopSocket) { crowd, stopper in
      let client = crowd[0]
      #expect(await client.call("stop")?["result"]?["outcome"]?.string == "confirmed")
      let idle = try await fixture.hold()
      let waiting = fixture.loop.waiting
      for (id, method) in ["reset", "arm", "resume", "send"].enumerated() {
        let parameters = method == "send" ? #"{"zone":5,"confirmed":true}"# : nil
        await client.ask(method, parameters, id: id)
      }
      try await fixture.wait(for: waiting + 1)
      if way == nil { await client.ask("stop", id: 9) } else { await stopper.stop() }
      if way != .stopSocket { try await fixture.wait(for: waiting + 2) }
      idle.release()

      if way != nil { #expect(await stopper.outcome() == "alreadyStopped") }
      for id in 0...3 {
        let answer = await client.answer(to: id)
        #expect(answer?["error"]?["data"]?["code"]?.string == "stopLatched", "\(id)")
      }
      let status = await client.call("status", id: 10)?["result"]
      #expect(status?["safety"]?["state"]?.string == "stopped")
      // What is asked now came after the stop.
      #expect(await client.call("reset", id: 11)?["result"]?["state"]?.string == "disarmed")
    }
  }

  /// What waited in a client's socket may be older than the stop, though it is read later.
  @Test func noRequestThatIsReadTogetherWithAStopUndoesIt() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    let identities = ClientIdentities(role: .operator)
    let setup = try ServerSetup(identities)
    try await setup.run(serving: fixture.service, on: fixture.central.executor) {
      let client = try await setup.client()
      #expect(await client.call("stop")?["result"]?["outcome"]?.string == "confirmed")
      let (held, newcomer) = try await setup.hold(by: identities)
      await client.ask("reset", id: 2)
      let stop = try await ControlClient.stop(in: setup.directory)
      #expect(stop["outcome"]?.string == "alreadyStopped")
      held.release()
      let answer = await client.answer(to: 2)
      #expect(answer?["error"]?["data"]?["code"]?.string == "stopLatched")
      #expect(await client.call("reset", id: 3)?["result"]?["state"]?.string == "disarmed")
      withExtendedLifetime(newcomer) {}
    }
    _ = try await fixture.end()
  }

  /// Where a stop doesn't wait for the ball's answer, it must not be written ahead of the ball either.
  @Test(arguments: Stopper.Way.allCases)
  func aBallThatTheLinkHasTakenDoesNotLeaveAfterTheStop(way: Stopper.Way) async throws {
    let fixture = try await FloodFixture(flags: ["write", "write-without-response"])
    try await fixture.run(way) { _, stopper in
      let taken = try await fixture.hold(after: try await fixture.holdWithBallDue())
      let waiting = fixture.loop.waiting
      await stopper.stop()
      if way == .controlSocket { try await fixture.wait(for: waiting + 1) }
      taken.release()
      #expect(await stopper.outcome() == "confirmed")
      let written = await fixture.written
      #expect(written.first != ServiceFixture.stop, "\(written)")
      #expect(written.count > 1 && written.dropFirst().allSatisfy { $0 == ServiceFixture.stop })
    }
  }
}

/// A service that feeds balls, asked by a crowd of clients through a control server.
struct FloodFixture {
  struct Write {
    var time: SuspendingClock.Instant
    /// Requests that were answered before.
    var answered: Int
  }

  let writes: Locked<[Write]>
  let loop: EventLoop
  private let fixture: ServiceFixture
  private let service: CountingService

  /// - Parameter flags: of the machine's characteristic.
  init(flags: [String] = ["write"]) async throws {
    let (writes, answered) = (Locked<[Write]>([]), Locked(0))
    let central = FakeCentral(flags: flags) {
      let write = Write(time: SuspendingClock.now, answered: answered.withLock(\.self))
      writes.withLock { $0.append(write) }
    }
    let fixture = try ServiceFixture(central: central)
    self.writes = writes
    self.fixture = fixture
    loop = central.executor.loop
    service = CountingService(service: fixture.service, answered: answered)
    await fixture.wait(for: .ready)
    // A former stop makes nothing else urgent.
    _ = await Task(priority: .urgent) { await fixture.service.perform(.stop) }.value
    for request in [SafetyRequest.reset, .arm(countdown: .zero)] {
      _ = await fixture.service.perform(request)
    }
    try await fixture.stand()
    try await fixture.landed()
    fixture.clock.advance(by: .milliseconds(2_500))
    try await fixture.stand()
    await central.executor.settle()
    await central.forgetWrites()
    writes.withLock { $0 = [] }
  }

  var written: [String] { get async { await fixture.central.written } }

  func run(
    _ way: Stopper.Way,
    _ body: @escaping @Sendable ([WireClient], Stopper) async throws -> Void
  ) async throws {
    let setup = try ServerSetup()
    try await setup.run(serving: service, on: fixture.central.executor) {
      var crowd: [WireClient] = []
      for _ in 0..<32 { crowd.append(try await setup.client()) }
      try await body(crowd, Stopper(way, setup))
    }
    _ = try await fixture.end()
  }

  /// Keeps the loop's thread from all work that comes later.
  ///
  /// - Parameter former: is released; the work between the two is done.
  func hold(after former: Blockade? = nil) async throws -> Blockade {
    let (blockade, isHeld) = (try Blockade(), FirstAnswer<Void>())
    fixture.central.executor.perform {
      isHeld.give(.success(()))
      blockade.block()
    }
    former?.release()
    try await isHeld.wait()
    return blockade
  }

  /// Holds the thread when a ball is due and not decided yet.
  func holdWithBallDue() async throws -> Blockade {
    let idle = try await hold()
    fixture.clock.advance(by: .milliseconds(500))
    try await wait(for: 1)
    return idle
  }

  /// Waits until so much work waits for the loop's thread.
  func wait(for count: Int) async throws {
    while loop.waiting < count { try await Task.yieldUnlessCancelled() }
  }
}

/// A client that stops.
struct Stopper {
  enum Way: CaseIterable {
    case stopSocket, controlSocket
  }

  private let way: Way
  private let client: WireClient

  init(_ way: Way, _ setup: ServerSetup) async throws {
    self.way = way
    client =
      switch way {
      case .stopSocket: try await WireClient(setup.stopPath)
      case .controlSocket: try await setup.client()
      }
  }

  func stop() async {
    switch way {
    case .stopSocket: await client.write("stop\n")
    case .controlSocket: await client.ask("stop", id: 1)
    }
  }

  func outcome() async -> String? {
    let answer = await client.line()
    return (answer?["result"] ?? answer)?["outcome"]?.string
  }
}

/// Counts the requests that the service has answered, on its thread.
private actor CountingService: ControlledService {
  private let service: BridgeService
  private let answered: Locked<Int>

  nonisolated var unownedExecutor: UnownedSerialExecutor { service.unownedExecutor }

  init(service: BridgeService, answered: Locked<Int>) {
    self.service = service
    self.answered = answered
  }

  var snapshot: BridgeSnapshot {
    get async {
      answered.withLock { $0 += 1 }
      return await service.snapshot
    }
  }

  var feed: FeedSnapshot { get async { await service.feed } }

  var commands: TableRecord { get async { await service.commands } }

  func command(for zone: Zone) async -> MachineCommand { await service.command(for: zone) }

  func perform(
    _ request: SafetyRequest,
    while client: ClientPresence?,
    asOf mark: StopCount.Mark?
  ) async -> SafetyReply {
    await service.perform(request, while: client, asOf: mark)
  }
  func clientGone() async { await service.clientGone() }
  func beginStop() async { await service.beginStop() }
  func sendManually(_ command: MachineCommand, asOf mark: StopCount.Mark?) async -> ManualReply {
    await service.sendManually(command, asOf: mark)
  }
  func subscribe(backlog: Int?) async -> BridgeEvents { await service.subscribe(backlog: backlog) }
  func followPlayer() async -> BridgeEvents { await service.followPlayer() }
}
