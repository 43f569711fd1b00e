import Glibc

/// Runs `body` on a new detached thread, which ends with it.
///
/// It blocks all signals except those of its own faults: others are for threads that expect them.
///
/// - Returns: 0, or the `errno` of the failure to start a thread.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  var signals = sigset_t()
  var former = sigset_t()
  sigfillset(&signals)
  for own in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { sigdelset(&signals, own) }
  // A new thread inherits the signal mask of its creator.
  pthread_sigmask(SIG_SETMASK, &signals, &former)
  defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
  let work = Unmanaged.passRetained(Work(body))
  var thread = pthread_t()
  let status = pthread_create(
    &thread,
    nil,
    { argument in
      if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
      return nil
    },
    work.toOpaque()
  )
  guard status == 0 else {
    work.release()
    return status
  }
  return pthread_detach(thread)
}

private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
