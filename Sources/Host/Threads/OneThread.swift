import Glibc

/// A program whose tasks and actors all run on its first thread, like any good daemon in C.
///
/// By default Swift runs them on libdispatch's threads: each resumption of a task wakes a thread,
/// which takes longer than the work itself, and their supervisor wakes once a second for ever.
/// On one thread, resuming a task is an entry in an array, and an idle program never wakes. In
/// exchange nothing may block: waiting for a disk, a pipe or a person needs another thread.
///
/// It rests on what Swift promises: a task prefers the thread (SE-0417), with all its child tasks;
/// an actor has its executor (SE-0392). What takes the default executor would bring the other threads
/// back: `Task {}`, `Task.sleep` and `Task.yield`. So programs begin tasks with ``task(priority:_:)``,
/// sleep with ``SystemClock``, and yield with ``yield()``. A task that must begin in its actor is a
/// `Task {}` whose body is within `withTaskExecutorPreference(OneThread.tasks)`. `tools/check` looks for
/// the others.
package enum OneThread {
  /// Set once, before there is a second thread.
  private static let installed = Locked<LoopExecutor?>(nil)

  /// nil in programs that don't run on one thread, as in tests.
  static var executor: LoopExecutor? { installed.withLock { $0 } }

  /// What the program's tasks prefer; nil in programs that don't run on one thread.
  package static var tasks: (any TaskExecutor)? { executor?.tasks }

  /// Runs `body` and all its tasks on the calling thread, and exits with the code it returns.
  ///
  /// Call it on the first thread, as the first statement.
  package static func run(_ body: @escaping @Sendable () async -> Int32) -> Never {
    let executor = LoopExecutor(ownsThread: false)
    installed.withLock { $0 = executor }
    task { exit(await body()) }
    executor.loop.run()
    preconditionFailure("the program's loop has ended before the program")
  }

  /// Begins a task on the program's thread, as `Task {}` does on Swift's threads. It is isolated to no
  /// actor, not even to the caller's.
  @discardableResult
  package static func task<Value: Sendable>(
    priority: TaskPriority? = nil,
    _ body: sending @escaping () async -> Value
  ) -> Task<Value, Never> {
    Task(executorPreference: tasks, priority: priority, operation: body)
  }

  /// Runs `body`, which may throw, as a task of the program's one thread.
  @discardableResult
  package static func task<Value: Sendable>(
    priority: TaskPriority? = nil,
    _ body: sending @escaping () async throws -> Value
  ) -> Task<Value, any Error> {
    Task(executorPreference: tasks, priority: priority, operation: body)
  }

  /// Lets other work of the thread go first.
  package static func yield() async {
    guard let loop = executor?.loop else { return await Task.yield() }
    let isUrgent = Task.currentPriority >= .urgent
    await withCheckedContinuation { continuation in
      loop.perform(.call({ continuation.resume() }, isUrgent: isUrgent))
    }
  }
}

/// Tasks on a loop's thread, where they are isolated to no actor.
final class LoopTasks: TaskExecutor {
  private let loop: EventLoop

  init(_ loop: EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    loop.perform(.job(UnownedJob(job), isolatedTo: nil, of: asUnownedTaskExecutor()))
  }
}
