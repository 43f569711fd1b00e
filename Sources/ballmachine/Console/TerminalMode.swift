import Glibc

/// How standard input's terminal takes keys: a line editor changes that, and whoever leaves one in
/// the middle of a line has to change it back.
struct TerminalMode {
  private let mode: termios

  /// - Returns: nil without a terminal.
  init?() {
    var mode = termios()
    guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
    self.mode = mode
  }

  /// Puts it back as it was when this was made; a line that was begun is ended.
  func restore() {
    var mode = mode
    var present = termios()
    guard tcgetattr(STDIN_FILENO, &present) == 0, present.c_lflag != mode.c_lflag else { return }
    // Without waiting until a terminal has taken what was said: it may be stopped with Ctrl-S.
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    try? writeAll("\n", to: STDOUT_FILENO, within: Output.patience)
  }
}
