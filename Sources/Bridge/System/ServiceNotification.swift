/// Something that a service tells systemd of itself.
///
/// Source: sd_notify(3).
enum ServiceNotification: Hashable, Sendable {
  /// It has started, or has read its configuration again, and is at work.
  case ready
  /// What it is doing, in words, for `systemctl status`.
  case status(String)
  /// It reads its configuration again, since this time of `CLOCK_MONOTONIC` in microseconds.
  case reloading(since: UInt64)
  /// It is on its way out.
  case stopping
  /// It is alive.
  case watchdog

  /// The lines that systemd takes.
  var text: String {
    switch self {
    case .ready: "READY=1"
    case .status(let status): "STATUS=\(Self.line(status))"
    case .reloading(let start): "RELOADING=1\nMONOTONIC_USEC=\(start)"
    case .stopping: "STOPPING=1"
    case .watchdog: "WATCHDOG=1"
    }
  }

  /// The longest status, in bytes; systemd ignores messages above 4096 (`NOTIFY_BUFFER_MAX`).
  static let longestStatus = 1024

  /// One line of it: a machine's name, say, must not be able to tell systemd anything else.
  private static func line(_ status: String) -> String {
    var line = ""
    for character in status {
      let isControl = character.unicodeScalars.contains {
        $0.properties.generalCategory == .control
      }
      let next = isControl ? " " : character
      guard line.utf8.count + next.utf8.count <= longestStatus else { break }
      line.append(next)
    }
    return line
  }
}

/// What systemd has not taken yet, in order. Of words and of signs of life only the newest wait, so
/// that a systemd that hangs fills no memory.
struct WaitingNotifications: Sendable {
  private var waiting: [ServiceNotification] = []
  private var isBeingTold = false

  /// - Returns: whether the telling is to begin.
  mutating func add(_ notification: ServiceNotification) -> Bool {
    waiting.removeAll { $0.isReplaced(by: notification) }
    waiting.append(notification)
    defer { isBeingTold = true }
    return !isBeingTold
  }

  /// The next to tell; nil ends the telling.
  mutating func popFirst() -> ServiceNotification? {
    isBeingTold = !waiting.isEmpty
    return isBeingTold ? waiting.removeFirst() : nil
  }
}

extension ServiceNotification {
  fileprivate func isReplaced(by newer: ServiceNotification) -> Bool {
    switch (self, newer) {
    case (.status, .status), (.watchdog, .watchdog): true
    default: false
    }
  }
}
