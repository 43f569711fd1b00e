import Glibc

/// A serial executor that waits for files and for times, too: one thread, which does what it is given
/// in order and otherwise sleeps.
///
/// Not a dispatch queue, whose sockets are watched by one thread and handled by another: waking a
/// thread takes longer than all that is to be done with a message. Actors that name the same executor
/// as theirs await each other without any thread being woken.
package final class LoopExecutor: SerialExecutor {
  let loop = EventLoop()
  /// Whether the thread has been started; nil when it is somebody else's.
  private let isStarted: Locked<Bool>?

  /// One with a thread of its own, which begins with the first job and ends with the executor.
  package convenience init() { self.init(ownsThread: true) }

  init(ownsThread: Bool) {
    isStarted = ownsThread ? Locked(false) : nil
  }

  /// The last one to let go may be a job of the loop's own.
  deinit { loop.end() }

  /// The executor of a program that runs on one thread, see ``OneThread``; elsewhere, as in tests, a
  /// new one.
  package static func ofProgram() -> LoopExecutor { OneThread.executor ?? LoopExecutor() }

  package func enqueue(_ job: consuming ExecutorJob) {
    perform(.job(UnownedJob(job), on: asUnownedSerialExecutor()))
  }

  package func checkIsolated() {
    precondition(loop.isCurrent, "not on the executor's thread")
  }

  package func isIsolatingCurrentContext() -> Bool? { loop.isCurrent }

  /// Has the thread do something, in order with all the rest.
  package func perform(_ body: @escaping @Sendable () -> Void) {
    perform(.call(body))
  }

  /// Has the thread do something later.
  ///
  /// - Parameter delay: on `CLOCK_MONOTONIC`. When the executor has gone by then it is not done.
  package func perform(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    start()
    loop.perform(.call(body), after: delay)
  }

  /// Returns when all that was given before has been done.
  package func settle() async {
    await withCheckedContinuation { continuation in perform { continuation.resume() } }
  }

  /// Calls `handler` on the thread, whenever there is something to read.
  package func watch(_ descriptor: Int32, _ handler: @escaping @Sendable () -> Void) -> FileWatch {
    start()
    return FileWatch(loop, descriptor, handler)
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

/// A file that a ``LoopExecutor`` waits for; no longer than this is kept.
package final class FileWatch: Sendable {
  private let loop: EventLoop
  private let number: Int

  init(_ loop: EventLoop, _ descriptor: Int32, _ handler: @escaping @Sendable () -> Void) {
    self.loop = loop
    number = loop.watch(descriptor, handler)
  }

  deinit { loop.unwatch(number) }

  /// Whether the handler is called, too, when the file takes more.
  package func setWriting(_ isWanted: Bool) {
    loop.setWriting(isWanted, watch: number)
  }
}
