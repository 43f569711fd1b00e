@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
import Glibc

/// A program whose tasks and actors all run on its first thread, like any good daemon in C.
///
/// By default Swift gives them to libdispatch's threads: each resumption of a task wakes one, which
/// takes longer than what it is woken for, and a supervisor of theirs looks around once a second for
/// ever. On one thread resuming a task is an entry in an array, and idle is idle. In exchange nobody
/// may block: what waits for a disk, a pipe or a person has a thread of its own.
///
/// Source: Swift's custom main and global executors, which are no stable interface of its library
/// yet (`ExecutorFactory`). Should they go, ``run(_:)`` can as well start a task and park the thread.
package enum OneThread {
  /// Set once, before there is a second thread.
  private static let installed = Locked<LoopExecutor?>(nil)

  /// nil in programs that don't live on one thread.
  static var executor: LoopExecutor? { installed.withLock { $0 } }

  /// Runs `body` and all that comes of it on the calling thread, and exits with what it returns.
  ///
  /// To be called first of all, by the first thread.
  package static func run(_ body: @escaping @Sendable () async -> Int32) -> Never {
    let executor = LoopExecutor(ownsThread: false)
    installed.withLock { $0 = executor }
    _createExecutors(factory: Executors.self)
    Task { exit(await body()) }
    executor.loop.run()
    preconditionFailure("the program's loop has ended before the program")
  }
}

/// What Swift asks for when it first needs an executor.
private enum Executors: ExecutorFactory {
  private static let program = OneThread.executor!

  static var mainExecutor: any MainExecutor { program }
  static let defaultExecutor: any TaskExecutor = GlobalTasks(program)
}

extension LoopExecutor: MainExecutor {
  package func run() { loop.run() }

  package func stop() { loop.end() }
}

/// Tasks and actors without an executor of their own.
private final class GlobalTasks: TaskExecutor, SchedulingExecutor {
  private let program: LoopExecutor

  init(_ program: LoopExecutor) { self.program = program }

  /// No executor: what runs here is isolated to nobody. A task executor would do as well, but tasks
  /// would then seem to be in the wrong place, and yield whenever they ask where they are.
  private static let nobody = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)

  func enqueue(_ job: consuming ExecutorJob) {
    program.perform(.job(UnownedJob(job), on: Self.nobody))
  }

  /// The clock is taken for `CLOCK_MONOTONIC`, from which Swift's continuous one differs only while
  /// the box is suspended.
  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob,
    after delay: C.Duration,
    tolerance: C.Duration?,
    clock: C
  ) {
    guard let delay = delay as? Swift.Duration else {
      preconditionFailure("\(C.self) doesn't count in seconds")
    }
    program.loop.perform(.job(UnownedJob(job), on: Self.nobody), after: delay)
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob,
    at instant: C.Instant,
    tolerance: C.Duration?,
    clock: C
  ) {
    enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
  }
}
