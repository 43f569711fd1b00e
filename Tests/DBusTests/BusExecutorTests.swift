@testable import DBus
import Glibc
import TestSupport
import Testing
import Threads

/// One thread for jobs and sockets.
@Suite(.mustEnd)
struct BusExecutorTests {
  private let executor = BusExecutor()

  @Test func whatEachThreadAsksForIsDoneInItsOrder() async {
    let done = Locked<[Int: [Int]]>([:])
    let (threads, count) = (8, 2_000)
    await withTaskGroup { group in
      for thread in 0..<threads {
        group.addTask {
          for number in 0..<count {
            executor.perform { done.withLock { $0[thread, default: []].append(number) } }
          }
        }
      }
    }
    // Behind all the rest.
    await withCheckedContinuation { continuation in executor.perform { continuation.resume() } }
    for thread in 0..<threads { #expect(done.withLock { $0[thread] } == Array(0..<count)) }
  }

  @Test func actorsOfOneExecutorShareItsThread() async {
    let partner = Partner(executor: executor, other: nil)
    let own = pthread_self()
    let threads = await Partner(executor: executor, other: partner).threads()
    #expect(threads.count == 2 && Set(threads).count == 1)
    #expect(pthread_equal(threads[0], own) == 0)
  }

  @Test func aSocketIsHeardAsLongAsItIsWatched() async throws {
    let pair = try SocketPair()
    let watch = Locked<SocketWatch?>(nil)
    let heard = await withCheckedContinuation { continuation in
      let made = executor.watch(pair.ours) {
        var byte: UInt8 = 0
        if read(pair.ours, &byte, 1) == 1 { continuation.resume(returning: byte) }
      }
      watch.withLock { $0 = made }
      pair.say(7)
    }
    #expect(heard == 7)

    let wasCalled = Locked(false)
    let other = Locked<SocketWatch?>(executor.watch(pair.ours) { wasCalled.withLock { $0 = true } })
    watch.withLock { $0 = nil }
    await withCheckedContinuation { continuation in
      // Where it waits for sockets only later.
      executor.perform {
        other.withLock { $0 = nil }
        pair.say(8)
        continuation.resume()
      }
    }
    for _ in 0..<100 {
      await withCheckedContinuation { continuation in executor.perform { continuation.resume() } }
    }
    #expect(!wasCalled.withLock { $0 })
  }

  @Test func workThatAlwaysLeadsToMoreDoesNotKeepTheSocketWaiting() async throws {
    let pair = try SocketPair()
    let isHeard = Locked(false)
    pair.say(7)
    let watch = executor.watch(pair.ours) { isHeard.withLock { $0 = true } }
    await withCheckedContinuation { continuation in
      Endless(executor: executor, until: { isHeard.withLock { $0 } }) { continuation.resume() }
        .goOn()
    }
    #expect(isHeard.withLock { $0 })
    withExtendedLifetime(watch) {}
  }
}

/// Asks for itself again until something has happened.
private struct Endless: Sendable {
  let executor: BusExecutor
  let until: @Sendable () -> Bool
  let end: @Sendable () -> Void

  func goOn() {
    executor.perform { until() ? end() : goOn() }
  }
}

private actor Partner {
  private let executor: BusExecutor
  private let other: Partner?

  init(executor: BusExecutor, other: Partner?) {
    (self.executor, self.other) = (executor, other)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// On which threads this one runs, and the others behind it.
  func threads() async -> [pthread_t] {
    [pthread_self()] + (await other?.threads() ?? [])
  }
}

private final class SocketPair: Sendable {
  let ours: Int32
  private let theirs: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    (ours, theirs) = (ends[0], ends[1])
  }

  deinit {
    close(ours)
    close(theirs)
  }

  func say(_ byte: UInt8) { _ = write(theirs, [byte], 1) }
}
