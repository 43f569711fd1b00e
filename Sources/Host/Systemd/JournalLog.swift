import CSystemd
import Glibc

/// The service's log: with fields if standard error goes to the journal, otherwise in plain lines.
///
/// `journalctl -u ballmachine BALLMACHINE_EVENT=dispatch` finds a field.
package final class JournalLog: Sendable {
  /// How many lines may wait for a slow journal or terminal.
  private static let longestBacklog = 256

  private struct Backlog {
    var waiting = 0
    var dropped = 0
  }

  /// Whether lines go to the journal with their fields.
  package let isStructured: Bool
  /// Less important lines don't go to the journal.
  private let least: JournalPriority
  private let deliver: @Sendable (JournalEntry) -> Bool
  private let plain: @Sendable (String) -> Void
  /// The journal may be slow, and a terminal may be stopped with Ctrl-S.
  private let thread = LoopExecutor()
  private let backlog = Locked(Backlog())

  /// - Parameters:
  ///   - least: less important lines don't go to the journal; plain lines are all written.
  ///   - plain: writes a line for people.
  package convenience init(
    least: JournalPriority = .debug,
    plain: @escaping @Sendable (String) -> Void
  ) {
    let stream = getenv("JOURNAL_STREAM").map { String(cString: $0) }
    self.init(
      least: least,
      isStructured: Self.isJournal(STDERR_FILENO, stream: stream),
      deliver: Self.deliver,
      plain: plain
    )
  }

  /// - Parameter deliver: sends a line to the journal, and returns whether the journal took it.
  init(
    least: JournalPriority = .debug,
    isStructured: Bool,
    deliver: @escaping @Sendable (JournalEntry) -> Bool = JournalLog.deliver,
    plain: @escaping @Sendable (String) -> Void
  ) {
    self.isStructured = isStructured
    self.least = least
    self.deliver = deliver
    self.plain = plain
    // Start the thread now, not with the first line: a box without a free thread then fails early.
    thread.perform {}
  }

  /// Logs a line.
  ///
  /// - Parameters:
  ///   - message: a sentence for people, without a full stop; one line. What it quotes is cleaned here.
  ///   - fields: for machines, with the keys of our JSON, raw; plain lines don't have them.
  package func write(
    _ message: String,
    _ priority: JournalPriority = .information,
    fields: [String: String] = [:]
  ) {
    guard !isStructured || priority.rawValue <= least.rawValue else { return }
    let isTaken = backlog.withLock { backlog in
      let isTaken = backlog.waiting < Self.longestBacklog
      if isTaken { backlog.waiting += 1 } else { backlog.dropped += 1 }
      return isTaken
    }
    guard isTaken else { return }
    let entry = JournalEntry(message: message.printable, priority: priority, fields: fields)
    thread.perform { [self] in
      send(entry)
      let dropped = backlog.withLock { backlog in
        backlog.waiting -= 1
        defer { backlog.dropped = 0 }
        return backlog.dropped
      }
      guard dropped > 0 else { return }
      send(
        JournalEntry(
          message: "\(dropped) log lines dropped: the journal or standard error was too slow",
          priority: .warning,
          fields: [:]
        )
      )
    }
  }

  /// How many lines the journal, or standard error, has not taken yet.
  package var waiting: Int { backlog.withLock(\.waiting) }

  /// Returns once the journal, or standard error, has taken all lines.
  package func flush() async { await thread.settle() }

  private func send(_ entry: JournalEntry) {
    if !isStructured || !deliver(entry) { plain(entry.message) }
  }

  @Sendable private static func deliver(_ entry: JournalEntry) -> Bool {
    let pieces = entry.pieces
    var bytes = pieces.flatMap(\.self)
    return bytes.withUnsafeMutableBytes { bytes in
      var offset = 0
      let vectors = pieces.map { piece in
        defer { offset += piece.count }
        return iovec(iov_base: bytes.baseAddress?.advanced(by: offset), iov_len: piece.count)
      }
      return sd_journal_sendv(vectors, Int32(vectors.count)) >= 0
    }
  }

  /// Whether a file is the stream that systemd has connected to the journal. The variable alone
  /// proves nothing: it is inherited, and the file may have been redirected.
  ///
  /// Source: systemd.exec(5), `$JOURNAL_STREAM`.
  static func isJournal(_ descriptor: Int32, stream: String?) -> Bool {
    var status = stat()
    guard let stream, fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}
