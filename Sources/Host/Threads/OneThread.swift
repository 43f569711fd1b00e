import Glibc
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// A program whose tasks and actors all run on its first thread, like any good daemon in C.
///
/// By default Swift runs them on libdispatch's threads: each resumption of a task wakes a thread,
/// which takes longer than the work itself, and their supervisor wakes once a second for ever.
/// On one thread, resuming a task is an entry in an array, and an idle program never wakes. In
/// exchange nothing may block: waiting for a disk, a pipe or a person needs another thread.
///
/// Source: Swift's custom main and global executors, which are no stable interface of its library
/// yet (`ExecutorFactory`). Without them ``run(_:)`` could start a task and park the thread.
package enum OneThread {
  /// Set once, before there is a second thread.
  private static let installed = Locked<LoopExecutor?>(nil)

  /// nil in programs that don't run on one thread.
  static var executor: LoopExecutor? { installed.withLock { $0 } }

  /// Runs `body` and all its tasks on the calling thread, and exits with the code it returns.
  ///
  /// Call it on the first thread, as the first statement.
  package static func run(_ body: @escaping @Sendable () async -> Int32) -> Never {
    let executor = LoopExecutor(ownsThread: false)
    installed.withLock { $0 = executor }
    _createExecutors(factory: Executors.self)
    Task { exit(await body()) }
    executor.loop.run()
    preconditionFailure("the program's loop has ended before the program")
  }
}

/// Swift asks this factory when it first needs an executor.
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

  /// Jobs here are isolated to no actor. A task executor would work, too, but tasks
  /// would then seem to be on the wrong executor, and yield at each check.
  private static let noExecutor = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)

  func enqueue(_ job: consuming ExecutorJob) {
    program.perform(.job(UnownedJob(job), on: Self.noExecutor))
  }

  /// Uses `CLOCK_BOOTTIME` for every clock: Swift's suspending clock differs only while the box is
  /// suspended.
  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob,
    after delay: C.Duration,
    tolerance: C.Duration?,
    clock: C
  ) {
    guard let delay = delay as? Swift.Duration else {
      preconditionFailure("\(C.self) doesn't count in seconds")
    }
    program.loop.perform(.job(UnownedJob(job), on: Self.noExecutor), after: delay)
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
