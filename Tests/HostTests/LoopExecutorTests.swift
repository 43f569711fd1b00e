import Clocks
import Glibc
import TestSupport
import Testing

@testable import Host

/// One thread for jobs and sockets.
@Suite(.mustEnd)
struct LoopExecutorTests {
  private let executor = LoopExecutor()

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
    await executor.settle()
    for thread in 0..<threads { #expect(done.withLock { $0[thread] } == Array(0..<count)) }
  }

  /// Otherwise no leak checker finds the tasks that wait in a loop.
  @Test func aWaitingJobKeepsItsPointerAsItIs() async {
    let reader = PointerReader()
    await Task(executorPreference: reader) {}.value
    #expect(reader.pointers.withLock(\.self).allSatisfy { $0.inLoop == $0.ofJob })
    #expect(reader.pointers.withLock(\.count) > 0)
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
    let watch = Locked<FileWatch?>(nil)
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
    let other = Locked<FileWatch?>(executor.watch(pair.ours) { wasCalled.withLock { $0 = true } })
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
      await executor.settle()
    }
    #expect(!wasCalled.withLock { $0 })
  }

  @Test func whatIsToBeDoneLaterIsDoneAtItsTimeAndNotBefore() async {
    let clock = SuspendingClock()
    let start = clock.now
    let done = Locked<[(name: String, time: SuspendingClock.Instant)]>([])
    func later(_ name: String, after delay: Duration) {
      executor.perform(after: delay) { done.withLock { $0.append((name, clock.now)) } }
    }
    later("last", after: .milliseconds(60))
    later("never", after: .seconds(1 << 62))
    // It has to set an earlier alarm for this one.
    await executor.settle()
    later("first", after: .milliseconds(20))
    later("at once", after: .seconds(-1))
    await withCheckedContinuation { continuation in
      executor.perform(after: .milliseconds(80)) { continuation.resume() }
    }
    let events = done.withLock { $0 }
    #expect(Set(events.map(\.name)) == ["at once", "first", "last"])
    for (name, least) in [("first", 20), ("last", 60)] {
      let time = events.first { $0.name == name }?.time ?? start
      #expect(start.duration(to: time) >= .milliseconds(least), "\(events)")
    }
  }

  @Test func theThreadSleepsThroughAnAlarmThatIsNotDueYet() async {
    let used = ThreadTime(executor)
    let before = await used.now
    executor.perform(after: .milliseconds(200)) {}
    try? await SuspendingClock().sleep(for: .milliseconds(150))
    // A thread that went round and round would have taken nearly all of that.
    #expect(await used.now - before < .milliseconds(50))
  }

  @Test func urgentTasksOvertakeAllWorkThatWaits() async throws {
    let notes = Notes(executor)
    let (blockade, isHeld) = (try Blockade(), FirstAnswer<Void>())
    executor.perform {
      isHeld.give(.success(()))
      blockade.block()
    }
    try await isHeld.wait()
    executor.perform { notes.assumeIsolated { $0.note("call") } }
    for (priority, name) in [(TaskPriority.high, "task"), (.urgent, "urgent task")] {
      let waiting = executor.loop.waiting
      Task(priority: priority) { await notes.note(name) }
      while executor.loop.waiting == waiting { try await Task.yieldUnlessCancelled() }
    }
    blockade.release()
    #expect(await notes.all == ["urgent task", "call", "task"])
  }

  @Test func endlessUrgentWorkLeavesOtherWorkItsTurn() async {
    let notes = Notes(executor)
    let urgent = Task(priority: .urgent) { await notes.yieldUntilNoted() }
    await notes.note("other")
    await urgent.value
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

/// The processor time that an executor's thread has taken.
private struct ThreadTime {
  let executor: LoopExecutor

  init(_ executor: LoopExecutor) { self.executor = executor }

  var now: Duration {
    get async {
      await withCheckedContinuation { continuation in
        executor.perform {
          var time = timespec()
          clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
          continuation.resume(returning: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
        }
      }
    }
  }
}

/// Asks for itself again until something has happened.
private struct Endless: Sendable {
  let executor: LoopExecutor
  let until: @Sendable () -> Bool
  let end: @Sendable () -> Void

  func goOn() {
    executor.perform { until() ? end() : goOn() }
  }
}

private actor Notes {
  private let executor: LoopExecutor
  private(set) var all: [String] = []

  init(_ executor: LoopExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func note(_ text: String) { all.append(text) }

  func yieldUntilNoted() async {
    while all.isEmpty { await Task.yield() }
  }
}

private actor Partner {
  private let executor: LoopExecutor
  private let other: Partner?

  init(executor: LoopExecutor, other: Partner?) {
    (self.executor, self.other) = (executor, other)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// On which threads this one runs, and the others behind it.
  func threads() async -> [pthread_t] {
    [pthread_self()] + (await other?.threads() ?? [])
  }
}

/// Looks at each job's pointer as a loop would keep it, and runs the job.
private final class PointerReader: TaskExecutor {
  let pointers = Locked<[(inLoop: UInt, ofJob: UInt)]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let work = EventLoop.Work.job(job, isolatedTo: nil, of: asUnownedTaskExecutor())
    func pointer(_ value: some Any) -> UInt {
      withUnsafeBytes(of: value) { $0.load(as: UInt.self) }
    }
    pointers.withLock { $0.append((pointer(work), pointer(job))) }
    job.runSynchronously(on: asUnownedTaskExecutor())
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
