import Glibc

/// A serial executor that also waits for files and timers: one thread, which runs its work in order
/// and otherwise sleeps.
///
/// Not a dispatch queue, which watches sockets on one thread and handles them on another: waking a
/// thread takes longer than handling a message. Actors on the same executor await each other
/// without waking a thread.
package final class LoopExecutor: SerialExecutor {
  let loop: EventLoop
  /// Tasks that prefer it run on the thread, and come back to it from what they wait for.
  let tasks: LoopTasks
  /// What the program's tasks prefer; nil in programs that don't run on one thread.
  private let programTasks: LoopTasks?
  /// Whether the thread has been started; nil when the caller provides the thread.
  private let isStarted: Locked<Bool>?

  /// An executor with its own thread, which starts with the first job and ends with the executor.
  package convenience init() { self.init(ownsThread: true) }

  init(ownsThread: Bool) {
    loop = EventLoop()
    tasks = LoopTasks(loop)
    programTasks = ownsThread ? OneThread.executor?.tasks : tasks
    isStarted = ownsThread ? Locked(false) : nil
  }

  /// The last reference may go in a job of this loop, so this only asks the loop to end.
  deinit { loop.end() }

  /// The executor of a program that runs on one thread (``OneThread``); otherwise, as in tests, a
  /// new one.
  package static func ofProgram() -> LoopExecutor { OneThread.executor ?? LoopExecutor() }

  package func enqueue(_ job: consuming ExecutorJob) {
    perform(
      .job(
        UnownedJob(job),
        isolatedTo: asUnownedSerialExecutor(),
        of: programTasks?.asUnownedTaskExecutor()
      )
    )
  }

  package func checkIsolated() {
    precondition(loop.isCurrent, "not on the executor's thread")
  }

  package func isIsolatingCurrentContext() -> Bool? { loop.isCurrent }

  /// Runs `body` on the thread, in order with all other work.
  package func perform(_ body: @escaping @Sendable () -> Void) {
    perform(.call(body))
  }

  /// Runs `body` on the thread later, unless the executor is gone by then.
  ///
  /// - Parameter delay: on `CLOCK_BOOTTIME`.
  package func perform(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    start()
    loop.perform(.call(body), after: delay)
  }

  /// Returns at the deadline, or when the task is cancelled.
  ///
  /// - Parameter deadline: in nanoseconds of `CLOCK_BOOTTIME`.
  /// - Throws: `CancellationError`.
  func sleep(until deadline: Int64) async throws {
    start()
    try await Nap(loop).sleep(until: deadline)
  }

  /// Returns once all earlier work is done.
  package func settle() async {
    await withCheckedContinuation { continuation in perform { continuation.resume() } }
  }

  /// Calls `handler` on the thread, whenever there is something to read.
  ///
  /// - Parameter isUrgent: whether it is looked at before each job, which costs a system call each.
  package func watch(
    _ descriptor: Int32,
    isUrgent: Bool = false,
    _ handler: @escaping @Sendable () -> Void
  ) -> FileWatch {
    start()
    return FileWatch(loop, loop.watch(descriptor, isUrgent: isUrgent, handler))
  }

  func perform(_ work: EventLoop.Work) {
    start()
    loop.perform(work)
  }

  private func start() {
    guard let isStarted else { return }
    isStarted.withLock { isStarted in
      guard !isStarted else { return }
      let status = startThread { [loop] in loop.run() }
      guard status == 0 else { endProgram(lacking: "threads", status) }
      isStarted = true
    }
  }
}

/// A file that a ``LoopExecutor`` watches, as long as this object lives.
package final class FileWatch: Sendable {
  private let loop: EventLoop
  private let number: Int

  init(_ loop: EventLoop, _ number: Int) {
    self.loop = loop
    self.number = number
  }

  deinit { loop.unwatch(number) }

  /// Sets whether the handler is also called when the file is writable.
  package func setWriting(_ isWanted: Bool) {
    loop.setWriting(isWanted, watch: number)
  }
}
