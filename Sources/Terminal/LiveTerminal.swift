// Which C module has `winsize` depends on the one that the compiler loads first: import both.
import CLinux
import Glibc
import Host

/// A terminal whose screen is ours during a live view: the alternate screen, no cursor.
///
/// ``leave()``, `exit` and the signals that ``TerminalScreen`` handles restore the screen and
/// cursor; a crash does not.
package final class LiveTerminal: Sendable {
  /// Lines for a terminal of this size.
  package typealias Frame =
    @Sendable (_ width: Int, _ height: Int, _ abilities: TerminalAbilities) -> [String]

  /// Ten frames a second.
  package static let interval = Duration.milliseconds(100)

  private let abilities: TerminalAbilities

  /// `nil` if standard output is no terminal that can show a live view.
  package init?(environment: (String) -> String? = LiveTerminal.variable) {
    guard isatty(STDOUT_FILENO) == 1, let kind = environment("TERM"), kind != "dumb" else {
      return nil
    }
    abilities = TerminalAbilities(environment: environment)
  }

  deinit { leave() }

  /// Takes over the screen. Install your own signal handlers first: other signals get ours.
  package func enter() {
    TerminalScreen.enter()
  }

  /// Takes over the screen and draws until a key ends it, `frame` throws, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - press: takes each key; false ends the view.
  ///   - frame: what to draw now; `hasKeys` is false where there is no keyboard.
  package func run(
    press: @escaping @Sendable (TerminalKey) -> Bool,
    frame: @escaping @Sendable (_ hasKeys: Bool) async throws -> Frame
  ) async throws {
    let keys = TerminalKeys()
    defer { keys?.end() }
    enter()
    defer { leave() }
    try await withThrowingTaskGroup { group in
      if let keys {
        group.addTask {
          for await key in keys.keys where !press(key) { return }
          // The terminal is gone: the signal for that ends the view.
          try await SystemClock().sleep(for: .seconds(Int32.max))
        }
      }
      group.addTask {
        while true {
          if TerminalScreen.isEntered { keys?.claim() }
          await self.show(try await frame(keys != nil))
          try await SystemClock().sleep(for: Self.interval)
        }
      }
      defer { group.cancelAll() }
      do { try await group.next() } catch is CancellationError {}
    }
  }

  /// Draws a frame for the terminal's present size: in one write, and without erasing first, so
  /// that nothing flickers.
  package func show(_ frame: @escaping Frame) async {
    // A terminal that is stopped at the end keeps its last frame.
    try? await OutputThread.shared.perform { self.draw(frame) }
  }

  private func draw(_ frame: Frame) {
    guard TerminalScreen.isEntered else { return }
    let (width, height) = Self.size
    let body = frame(width, height, abilities).map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    // A terminal that is gone says so with SIGHUP.
    try? writeAll("\u{1B}[H\(body)\u{1B}[J", to: STDOUT_FILENO)
  }

  /// Restores the screen.
  package func leave() {
    TerminalScreen.leave()
  }

  /// Of the terminal of standard output; 80 by 24 where it doesn't say.
  package static var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// An environment variable that is set and not empty.
  package static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
