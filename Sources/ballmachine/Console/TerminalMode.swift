import Glibc
import Host

/// The mode of standard input's terminal: a line editor changes it, and a program that leaves the
/// editor in the middle of a line must restore it.
struct TerminalMode {
  private let mode: termios

  /// - Returns: nil without a terminal.
  init?() {
    var mode = termios()
    guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
    self.mode = mode
  }

  /// Restores the mode that `init` found, and ends an unfinished line.
  func restore() {
    var mode = mode
    var present = termios()
    guard tcgetattr(STDIN_FILENO, &present) == 0, present.c_lflag != mode.c_lflag else { return }
    // Without waiting for pending output: the terminal may be stopped with Ctrl-S.
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    try? writeAll("\n", to: STDOUT_FILENO, within: OutputThread.readerTimeout)
  }
}
