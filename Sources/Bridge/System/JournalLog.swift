import CSystemd
import Dispatch
import Glibc

/// The service's log: with fields, if standard error leads to the journal, else in plain lines.
///
/// `journalctl -u ballmachine BALLMACHINE_EVENT=dispatch` finds a field.
package final class JournalLog: Sendable {
  /// How many lines may wait for a journal that doesn't take them.
  private static let longestBacklog = 256

  private struct Backlog {
    var waiting = 0
    var dropped = 0
  }

  /// Whether lines go to the journal with their fields.
  package let isStructured: Bool
  private let plain: @Sendable (String) -> Void
  /// The journal may be slow, and Swift's own threads are few.
  private let queue = DispatchQueue(label: "journal")
  private let backlog = Locked(Backlog())

  /// - Parameters:
  ///   - descriptor: where plain lines go in the end.
  ///   - stream: what systemd says of the journal's stream, `$JOURNAL_STREAM`.
  ///   - plain: writes a line for people.
  package init(
    descriptor: Int32 = STDERR_FILENO,
    stream: String? = getenv("JOURNAL_STREAM").map { String(cString: $0) },
    plain: @escaping @Sendable (String) -> Void
  ) {
    isStructured = Self.isJournal(descriptor, stream: stream)
    self.plain = plain
  }

  /// Logs a line.
  ///
  /// - Parameters:
  ///   - message: a sentence for people, without a full stop.
  ///   - fields: what machines look for, by the keys of our JSON; plain lines don't have them.
  package func write(
    _ message: String,
    _ priority: JournalPriority = .information,
    fields: [String: String] = [:]
  ) {
    guard isStructured else { return plain(message) }
    let isTaken = backlog.withLock { backlog in
      let isTaken = backlog.waiting < Self.longestBacklog
      if isTaken { backlog.waiting += 1 } else { backlog.dropped += 1 }
      return isTaken
    }
    guard isTaken else { return }
    let entry = JournalEntry(message: message, priority: priority, fields: fields)
    queue.async { [self] in
      send(entry)
      let dropped = backlog.withLock { backlog in
        backlog.waiting -= 1
        defer { backlog.dropped = 0 }
        return backlog.dropped
      }
      guard dropped > 0 else { return }
      send(
        JournalEntry(
          message: "the journal was too slow: \(dropped) lines of ours are missing here",
          priority: .warning,
          fields: [:]
        )
      )
    }
  }

  /// Returns when the journal has all that was written.
  package func flush() { queue.sync {} }

  private func send(_ entry: JournalEntry) {
    let pieces = entry.pieces
    var bytes = pieces.flatMap(\.self)
    let status = bytes.withUnsafeMutableBytes { bytes in
      var offset = 0
      let vectors = pieces.map { piece in
        defer { offset += piece.count }
        return iovec(iov_base: bytes.baseAddress?.advanced(by: offset), iov_len: piece.count)
      }
      return sd_journal_sendv(vectors, Int32(vectors.count))
    }
    if status < 0 { plain(entry.message) }
  }

  /// Whether a file is the stream that systemd has connected to the journal: the variable is
  /// inherited, and the file may have been redirected.
  ///
  /// Source: systemd.exec(5), `$JOURNAL_STREAM`.
  static func isJournal(_ descriptor: Int32, stream: String?) -> Bool {
    var status = stat()
    guard let stream, fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}
