import Glibc
import Synchronization

/// Switches standard output to the alternate screen, and back, also when the process ends or is
/// stopped from the keyboard. A crash leaves the screen as it is; `reset` repairs it. Code here
/// that runs in a signal handler allocates nothing and takes no lock.
package enum TerminalScreen {
  package static func enter() {
    prepare
    guard !isOurs.exchange(true, ordering: .relaxed) else { return }
    takeOver()
  }

  /// Whether the alternate screen shows: not after ``leave()``, nor while Ctrl-Z stops the process.
  package static var isEntered: Bool { isOurs.load(ordering: .relaxed) }

  package static func leave() {
    giveBack()
  }
}

/// Whether the alternate screen shows.
private let isOurs = Atomic(false)

/// Alternate screen, no cursor.
private func takeOver() {
  let text: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  say(text)
}

private func giveBack() {
  guard isOurs.exchange(false, ordering: .relaxed) else { return }
  let text: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  say(text)
}

/// Waits only for `flushTimeout`: a terminal stopped with Ctrl-S would keep the process from ending.
private func say(_ text: StaticString) {
  var terminal = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
  guard poll(&terminal, 1, flushTimeout) > 0 else { return }
  _ = write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
}

/// Milliseconds.
private let flushTimeout: Int32 = 500

/// Done once, when first needed.
private let prepare: Void = {
  atexit(giveBack)
  for number in [SIGHUP, SIGINT, SIGTERM, SIGQUIT] where isUnhandled(number) {
    install(giveBackAndRaise, for: number)
  }
  // Ctrl-Z and `fg`.
  if isUnhandled(SIGTSTP), isUnhandled(SIGCONT) {
    install(giveBackAndStop, for: SIGTSTP)
  }
}()

private func isUnhandled(_ number: Int32) -> Bool {
  var action = sigaction()
  sigaction(number, nil, &action)
  return action.__sigaction_handler.sa_handler == nil
}

private func install(_ handler: @convention(c) (Int32) -> Void, for number: Int32) {
  var action = sigaction()
  action.__sigaction_handler.sa_handler = handler
  sigaction(number, &action, nil)
}

/// The signal stays blocked until this returns; then it has its default effect.
private func giveBackAndRaise(_ number: Int32) {
  giveBack()
  signal(number, SIG_DFL)
  raise(number)
}

private func giveBackAndStop(_ number: Int32) {
  let wasOurs = isOurs.load(ordering: .relaxed)
  giveBack()
  // Unlike SIGTSTP, SIGSTOP stops at once, inside this handler; the rest runs after `fg`.
  raise(SIGSTOP)
  if wasOurs {
    takeOver()
    isOurs.store(true, ordering: .relaxed)
  }
}
