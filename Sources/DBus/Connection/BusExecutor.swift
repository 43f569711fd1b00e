/// The serial executor of a connection, and of all who work with it: one thread, which waits for jobs
/// and for the connection's socket at once.
///
/// Not a dispatch queue, whose sockets are watched by one thread and handled by another: waking a
/// thread takes longer than all that is to be done with a message. Actors that name this executor
/// as theirs await each other without any thread being woken.
package final class BusExecutor: SerialExecutor {
  private let loop: BusLoop

  package init() {
    loop = BusLoop()
    loop.start()
  }

  /// The last one to let go may be a job of the loop's own.
  deinit { loop.end() }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    loop.perform { job.runSynchronously(on: executor) }
  }

  package func checkIsolated() {
    precondition(loop.isCurrent, "not on the thread of the bus")
  }

  package func isIsolatingCurrentContext() -> Bool? { loop.isCurrent }

  /// Has the thread do something, in order with all the rest.
  func perform(_ work: @escaping @Sendable () -> Void) {
    loop.perform(work)
  }

  /// Calls `handler` on the thread, whenever there is something to read.
  func watch(_ descriptor: Int32, _ handler: @escaping @Sendable () -> Void) -> SocketWatch {
    SocketWatch(loop, descriptor, handler)
  }
}
