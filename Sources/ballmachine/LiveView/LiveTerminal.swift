import Glibc
import Host

/// A terminal whose screen is ours during a live view: the alternate screen, no cursor.
///
/// ``leave()``, `exit` and the signals that ``TerminalScreen`` handles restore the screen and
/// cursor; a crash does not.
final class LiveTerminal: Sendable {
  private let abilities: TerminalAbilities

  /// `nil` if standard output is no terminal that can show a live view.
  init?(environment: (String) -> String? = LiveTerminal.variable) {
    guard isatty(STDOUT_FILENO) == 1, let kind = environment("TERM"), kind != "dumb" else {
      return nil
    }
    abilities = TerminalAbilities(environment: environment)
  }

  deinit { leave() }

  /// Takes over the screen. Install your own signal handlers first: other signals get ours.
  func enter() {
    TerminalScreen.enter()
  }

  /// Draws a frame for the terminal's present size: in one write, and without erasing first, so
  /// that nothing flickers.
  func show(_ state: LiveViewState) async {
    // A terminal that is stopped at the end keeps its last frame.
    try? await OutputThread.shared.perform { self.draw(state) }
  }

  private func draw(_ state: LiveViewState) {
    guard TerminalScreen.isEntered else { return }
    let (width, height) = size
    let lines = LiveView.frame(state, width: width, height: height, abilities: abilities)
    let body = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    // A terminal that is gone says so with SIGHUP.
    try? writeAll("\u{1B}[H\(body)\u{1B}[J", to: STDOUT_FILENO)
  }

  /// Restores the screen.
  func leave() {
    TerminalScreen.leave()
  }

  private var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// An environment variable that is set and not empty.
  static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
