import CLinux
import Glibc
import Synchronization

/// The signals that ask a program to end, or would end one that does not know them. SIGHUP: the
/// terminal is gone.
private let endingSignals = [
  SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
]

/// The signals that end a program as a sequence, so that it ends in order instead of at once. From
/// now on they come by no other way.
///
/// Call it once, in a task of the program, thus on its first thread: other threads take no signals.
///
/// - Parameter lastSignals: the signals that always end the program: they call
///   ``OutputThread/hurry()``.
package func endSignals(
  lastSignals: Set<Int32> = [SIGINT, SIGTERM, SIGQUIT]
) throws(SystemError) -> AsyncStream<Int32> {
  var numbers = sigset_t()
  sigemptyset(&numbers)
  // Under `nohup`, SIGHUP stays ignored.
  for number in endingSignals where number != SIGHUP || !isIgnored(number) {
    // An ignored signal never arrives; a blocked one arrives only at the file.
    signal(number, SIG_DFL)
    sigaddset(&numbers, number)
  }
  pthread_sigmask(SIG_BLOCK, &numbers, nil)
  let number = signalfd(-1, &numbers, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
  guard number >= 0 else { throw SystemError("open a file for signals") }
  let file = FileDescriptor(owning: number)
  let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
  let watch = LoopExecutor.ofProgram().watch(file.number) {
    var taken = signalfd_siginfo()
    let size = MemoryLayout.size(ofValue: taken)
    while read(file.number, &taken, size) == size {
      let number = Int32(taken.ssi_signo)
      if lastSignals.contains(number) { OutputThread.shared.hurry() }
      continuation.yield(number)
    }
  }
  watchForLife.withLock { $0 = watch }
  return signals
}

/// Kept until the process ends: a signal must cut slow output short even after the stream's reader is gone.
private let watchForLife = Mutex<FileWatch?>(nil)

private func isIgnored(_ number: Int32) -> Bool {
  var action = sigaction()
  sigaction(number, nil, &action)
  return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    == unsafeBitCast(SIG_IGN, to: Int.self)
}
