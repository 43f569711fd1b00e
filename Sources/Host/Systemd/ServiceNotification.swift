/// What a service tells systemd about itself.
///
/// Source: sd_notify(3).
enum ServiceNotification: Hashable, Sendable {
  /// The service has started, or has reloaded its configuration, and works.
  case ready
  /// What it is doing, in words, for `systemctl status`.
  case status(String)
  /// The service has been reloading its configuration since this `CLOCK_MONOTONIC` time in
  /// microseconds.
  case reloading(since: UInt64)
  /// The service is shutting down.
  case stopping
  /// The service is alive.
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

  /// The status as one line: a machine's name, say, must not add further assignments.
  private static func line(_ status: String) -> String {
    var line = ""
    for character in status {
      let next = character.isPrintable ? character : " "
      guard line.utf8.count + next.utf8.count <= longestStatus else { break }
      line.append(next)
    }
    return line
  }
}

/// The notifications that systemd has not taken yet, in order. Only the newest status and the
/// newest watchdog sign wait, so that a hanging systemd fills no memory.
struct WaitingNotifications: Sendable {
  private var waiting: [ServiceNotification] = []
  private var isSending = false

  /// - Returns: whether the caller must start sending.
  mutating func add(_ notification: ServiceNotification) -> Bool {
    waiting.removeAll { $0.isReplaced(by: notification) }
    waiting.append(notification)
    defer { isSending = true }
    return !isSending
  }

  /// The next to send; nil ends the sending.
  mutating func popFirst() -> ServiceNotification? {
    isSending = !waiting.isEmpty
    return isSending ? waiting.removeFirst() : nil
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
