import Clocks
import CourtLogic
import Glibc
import Host
import TestSupport
import Testing

@testable import Positions

/// What reading leaves to the rest of its executor's thread.
@Suite(.mustEnd)
struct PositionReaderTests {
  private let clock = ManualClock(start: .start)
  private let executor = LoopExecutor()
  private let directory: TemporaryDirectory
  /// How often the feed has looked at the time; a turn in which nothing comes looks twice.
  private let looks = Locked(0)

  init() throws { directory = try TemporaryDirectory() }

  @Test func howeverMuchWaitsOtherWorkHasItsTurnSoon() async throws {
    let (feeders, lines) = (10, 4_000)
    let line = "0,1,2\n"
    try await withFeed { feed, _ in
      let floods = try (0..<feeders).map { _ in
        let feeder = try Feeder(socket: directory("positions"))
        return Task { await feeder.write(String(repeating: line, count: lines)) }
      }
      let other = OtherWork(executor) { feed.statistics.positions }
      other.goOn()
      for flood in floods { #expect(await flood.value) }
      while feed.statistics.positions < feeders * lines { try await Task.yieldUnlessCancelled() }
      let most = await other.end()
      // There may be two turns in between, of which one is a pulse's; each may begin to read a
      // feeder before its end.
      #expect(most > 0 && most <= 4 * PositionReader.readBudget / line.utf8.count)
    }
  }

  @Test func whileFeedersAreHeardThereIsATurnInEachPulseAndNoMore() async throws {
    try await withFeed { feed, events in
      let feeder = try Feeder(socket: directory("positions"))
      #expect(await events.next() == .opened(connection: "client 1"))
      // Each in a turn of its own.
      for _ in 0..<30 {
        await feeder.write("0,1,2\n")
        _ = await events.next()
      }
      await executor.settle()
      let start = SuspendingClock.now
      let before = looks.withLock(\.self)
      // Four turns.
      while looks.withLock(\.self) < before + 8 { try await Task.yieldUnlessCancelled() }
      #expect(SuspendingClock.now - start >= StandstillWatch.pulse * 3)
    }
  }

  @Test func aFeederThatHasSaidNothingCausesNoTurns() async throws {
    try await withFeed { feed, events in
      let feeder = try Feeder(socket: directory("positions"))
      #expect(await events.next() == .opened(connection: "client 1"))
      await executor.settle()
      let before = looks.withLock(\.self)
      try await SuspendingClock().sleep(for: StandstillWatch.pulse * 2)
      #expect(looks.withLock(\.self) == before)
      withExtendedLifetime(feeder) {}
    }
  }

  /// - Parameter time: the world's.
  private func feed(at time: Locked<Duration>) throws -> PositionFeed {
    try PositionFeed(source: .socket(directory("positions")), executor: executor, clock: clock) {
      time.withLock(\.self)
    }
  }

  @Test func aFeederThatWasSilentDuringAStandstillIsBelieved() async throws {
    let time = Locked(Duration.zero)
    try await run(feed(at: time)) { feed, events in
      let feeders = try (0..<2).map { _ in try Feeder(socket: directory("positions")) }
      for feeder in feeders { await feeder.write("0,1,2\n") }
      while feed.statistics.positions < 2 { try await Task.yieldUnlessCancelled() }
      time.withLock { $0 = .seconds(3) }
      // Its first line may be too old, and is read before its second.
      await feeders[0].write("0,1,3\n")
      while feed.statistics.positions + feed.statistics.dropped < 3 {
        try await Task.yieldUnlessCancelled()
      }
      for (number, feeder) in feeders.enumerated() {
        await feeder.write("0,1,\(4 + number)\n")
        while let event = await events.next() {
          if case .position(let position, _, _, _) = event, position.y == Double(4 + number) {
            break
          }
        }
      }
    }
  }

  /// A new connection is a new source.
  @Test func aFeederThatRepeatsItselfIsJudgedOnItsConnection() async throws {
    try await run(feed(at: Locked(.zero))) { _, events in
      nonisolated(nonsending) func judgement(of line: String, from feeder: Feeder) async
        -> Repetition?
      {
        await feeder.write(line)
        while let event = await events.next() {
          if case .position(_, _, _, let source) = event { return source.repetition }
        }
        return nil
      }
      let feeder = try Feeder(socket: directory("positions"))
      #expect(await judgement(of: "0,1,2\n", from: feeder) == Repetition.none)
      #expect(await judgement(of: "1,1.0004,2\n", from: feeder) == Repetition.none)
      let since = clock.now
      clock.advance(by: .seconds(10))
      #expect(await judgement(of: "2,1.0004,2\n", from: feeder) == .stuck(since: since))
      let other = try Feeder(socket: directory("positions"))
      #expect(await judgement(of: "2,1.0004,2\n", from: other) == Repetition.none)
      clock.advance(by: .seconds(60))
      #expect(await judgement(of: "3,1.0004,2\n", from: other)?.isStuck == false)
      #expect(await judgement(of: "3,1.0005,2\n", from: feeder) == Repetition.none)
    }
  }

  /// A camera that has seen nobody yet, or not for hours.
  @Test func onceBallsMayFlyAStandstillIsNoticedThoughNoFeederWasHeard() async throws {
    let time = Locked(Duration.zero)
    try await run(feed(at: time)) { feed, events in
      let feeder = try Feeder(socket: directory("positions"))
      #expect(await events.next() == .opened(connection: "client 1"))
      time.withLock { $0 = .seconds(9_000) }
      feed.attend()
      await executor.settle()
      time.withLock { $0 = .seconds(9_003) }
      await feeder.write("0,1,2\n")
      #expect(await events.next() == .stoodStill(.seconds(3)))
      while feed.statistics.dropped < 1 { try await Task.yieldUnlessCancelled() }
      #expect(feed.statistics.positions == 0)
    }
  }

  @Test func aFeederThatHasNotBeenReadYetIsNotSilent() async throws {
    let feed = try PositionFeed(
      source: .socket(directory("positions")),
      executor: executor,
      clock: clock,
      clientLimit: 2
    ) { .zero }
    try await run(feed) { feed, events in
      let feeders = try (0..<2).map { _ in try Feeder(socket: directory("positions")) }
      for number in 1...2 {
        #expect(await events.next() == .opened(connection: "client \(number)"))
      }
      let (blockade, isHeld) = (try Blockade(), FirstAnswer<Void>())
      executor.perform {
        isHeld.give(.success(()))
        blockade.block()
      }
      try await isHeld.wait()
      clock.advance(by: .seconds(61))
      let newcomer = try Feeder(socket: directory("positions"))
      await feeders[0].write("0,1,2\n")
      blockade.release()
      guard case .position(_, let source, _, _) = await events.next() else {
        Issue.record("the first is not heard")
        return
      }
      #expect(source.connection == "client 1")
      #expect(await events.next() == .closed(connection: "client 2"))
      #expect(await events.next() == .opened(connection: "client 3"))
      withExtendedLifetime((feeders, newcomer)) {}
    }
  }

  /// Another program may take its line before we read it: then reading would wait.
  @Test func aTerminalIsReadOnAnotherThread() throws {
    let number = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(isatty(number) == 1)
    let feeder = PositionReader.Feeder(
      FileDescriptor(owning: number),
      number: 1,
      name: "stdin",
      frame: .court
    )
    try feeder.join(FileSet())
    #expect(isatty(feeder.descriptor.number) == 0)
  }

  private func withFeed(
    _ body: (PositionFeed, inout PositionEventQueue.Iterator) async throws -> Void
  ) async throws {
    let feed = try PositionFeed(
      source: .socket(directory("positions")),
      executor: executor,
      clock: clock
    ) { [looks] in
      looks.withLock { $0 += 1 }
      return .zero
    }
    try await run(feed, body)
  }

  private func run(
    _ feed: PositionFeed,
    _ body: (PositionFeed, inout PositionEventQueue.Iterator) async throws -> Void
  ) async throws {
    let task = Task { try await feed.run() }
    var events = feed.events.makeAsyncIterator()
    let result: Result<Void, any Error>
    do { result = .success(try await body(feed, &events)) } catch { result = .failure(error) }
    task.cancel()
    try await task.value
    try result.get()
  }
}

/// Asks for a turn of the thread again and again.
private final class OtherWork: Sendable {
  private let executor: LoopExecutor
  private let count: @Sendable () -> Int
  private let seen = Locked((last: 0, most: 0, hasEnded: false))

  init(_ executor: LoopExecutor, count: @escaping @Sendable () -> Int) {
    (self.executor, self.count) = (executor, count)
  }

  func goOn() {
    executor.perform { [self] in
      let count = count()
      let hasEnded = seen.withLock { seen in
        seen.most = max(seen.most, count - seen.last)
        seen.last = count
        return seen.hasEnded
      }
      if !hasEnded { goOn() }
    }
  }

  /// - Returns: by how much `count` has grown at most from one turn to the next.
  func end() async -> Int {
    seen.withLock { $0.hasEnded = true }
    await executor.settle()
    return seen.withLock(\.most)
  }
}
