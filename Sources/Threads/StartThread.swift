import Glibc

/// Runs `body` on a thread of its own, which ends with it, and for which nobody waits.
///
/// It takes no signals but those of its own mistakes: others are for threads that expect them.
///
/// - Returns: 0, or the `errno` that tells why there is no thread.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  var signals = sigset_t()
  var former = sigset_t()
  sigfillset(&signals)
  for own in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { sigdelset(&signals, own) }
  // A thread begins with what its maker takes.
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
