import Glibc

/// The terminal that this process was started from, if it was started from one.
package struct ControllingTerminal: Sendable {
  private let wasThere = Self.isThere

  package init() {}

  /// Whether there was one, and it is gone: then SIGHUP means that, and is no request to reload.
  ///
  /// The kernel detaches the terminal from all its processes before it sends the signal
  /// (`__tty_hangup` in drivers/tty/tty_io.c).
  package var isGone: Bool { wasThere && !Self.isThere }

  private static var isThere: Bool {
    let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    close(terminal)
    return true
  }
}
