import Glibc
import Host

/// The keys that a person presses at the terminal of standard input, each at once and unseen.
///
/// Create it after the program's own signal handlers: Ctrl-C stays a signal. ``end()`` restores the terminal.
package final class TerminalKeys: Sendable {
  package let keys: AsyncStream<TerminalKey>
  /// So long an escape may wait for the rest of its key, also over a slow network.
  private static let patience = Duration.milliseconds(100)
  private let mode: termios
  private let watch: FileWatch

  /// - Returns: nil without a terminal, and in the background of a shell.
  package init?() {
    var mode = termios()
    guard tcgetattr(STDIN_FILENO, &mode) == 0, tcgetpgrp(STDIN_FILENO) == getpgrp() else {
      return nil
    }
    self.mode = mode
    let (keys, continuation) = AsyncStream.makeStream(of: TerminalKey.self)
    self.keys = keys
    let executor = LoopExecutor.ofProgram()
    // How many reads there were.
    let reading = Locked((decoder: KeyDecoder(), count: 0))
    watch = executor.watch(STDIN_FILENO) {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      // The terminal is gone; SIGHUP follows.
      guard count > 0 else { return continuation.finish() }
      let (found, waitsSince) = reading.withLock { reading in
        reading.count += 1
        let found = reading.decoder.receive(bytes.prefix(count))
        return (found, reading.decoder.isWaiting ? reading.count : nil)
      }
      for key in found { continuation.yield(key) }
      guard let waitsSince else { return }
      executor.perform(after: Self.patience) {
        let rest = reading.withLock { reading in
          reading.count == waitsSince ? reading.decoder.finish() : []
        }
        for key in rest { continuation.yield(key) }
      }
    }
    claim()
  }

  /// Sets the terminal's mode: also after Ctrl-Z and `fg`, when the shell has changed it.
  package func claim() {
    var present = termios()
    let lineMode = tcflag_t(ICANON | ECHO)
    guard tcgetpgrp(STDIN_FILENO) == getpgrp(), tcgetattr(STDIN_FILENO, &present) == 0,
      present.c_lflag & lineMode != 0
    else { return }
    present.c_lflag &= ~lineMode
    // A read never waits.
    withUnsafeMutableBytes(of: &present.c_cc) { controls in
      controls[Int(VMIN)] = 0
      controls[Int(VTIME)] = 0
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &present)
  }

  /// Restores the mode that `init` found.
  package func end() {
    var mode = mode
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
  }
}
