import Clocks
import TestSupport
import Testing

@testable import Host

/// Sleeping without Swift's own timers.
@Suite(.mustEnd)
struct NapTests {
  private let executor = LoopExecutor()
  private let clock = SystemClock()

  /// In nanoseconds of the loop's clock.
  private func deadline(in duration: Duration) -> Int64 {
    (clock.now.sinceStart + duration).wholeNanoseconds
  }

  @Test func aSleeperIsWokenAtItsTimeAndNotBefore() async throws {
    let end = clock.now.advanced(by: .milliseconds(30))
    try await executor.sleep(until: end.sinceStart.wholeNanoseconds)
    #expect(clock.now >= end)
    // What is past has come.
    try await executor.sleep(until: deadline(in: .seconds(-1)))
    #expect(executor.loop.nextTimer == nil)
  }

  @Test func theSystemClockSleeps() async throws {
    let end = clock.now.advanced(by: .milliseconds(30))
    try await clock.sleep(until: end, tolerance: nil)
    #expect(clock.now >= end)
    let fast = SystemClock(speed: 1_000)
    let later = fast.now.advanced(by: .seconds(30))
    try await fast.sleep(for: .seconds(30))
    #expect(fast.now >= later)
  }

  @Test func aCancelledSleeperLeavesNoTimer() async {
    let sleeping = Task { try await executor.sleep(until: deadline(in: .seconds(1_000_000))) }
    while executor.loop.nextTimer == nil { await Task.yield() }
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    #expect(executor.loop.nextTimer == nil)
  }

  @Test func whoIsCancelledBeforeDoesNotSleep() async {
    let sleeping = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await executor.sleep(until: deadline(in: .seconds(1_000_000)))
    }
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    #expect(executor.loop.nextTimer == nil)
  }

  /// The bound of a race: whoever is first, the sleeper goes on once.
  @Test func aCancellationAtTheDeadlineEndsTheSleepOnce() async {
    var ended = 0
    for _ in 0..<200 {
      let sleeping = Task { try await executor.sleep(until: deadline(in: .microseconds(50))) }
      executor.perform(after: .microseconds(50)) { sleeping.cancel() }
      _ = await sleeping.result
      ended += 1
    }
    #expect(ended == 200)
  }
}
