import Glibc
import Host
import JSON

/// Something that a subcommand prints: an object for machines, text for people.
///
/// It may quote text from outside as it is: ``Output`` cleans each line. Its own line feeds are therefore
/// between ``lines``, never in one.
package protocol Report: Encodable, Sendable {
  /// One line, or all of them.
  var text: String { get }
  var lines: [String] { get }
}

extension Report {
  package var lines: [String] { [text] }
}

/// A report of several lines.
package protocol LinedReport: Report {}

extension LinedReport {
  package var text: String { lines.joined(separator: "\n") }
}

/// A text that is the same for people and for machines, such as a table. What it quotes is clean already.
package struct TextReport: LinedReport {
  package let text: String

  package init(_ text: String) { self.text = text }

  package var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

private enum EventKey: CodingKey {
  case event
}

extension Encoder {
  /// Writes a record's members, and `event` beside them.
  package func encode(_ record: some Encodable, as event: String) throws {
    var object = container(keyedBy: EventKey.self)
    try object.encode(event, forKey: .event)
    try record.encode(to: self)
  }
}

/// A record as it is for machines, beside the name of its event, and its text for people.
package struct RecordReport<Record: Encodable & Sendable>: LinedReport {
  package let lines: [String]
  private let event: String
  private let record: Record

  /// - Parameter text: one line.
  package init(_ event: String, _ record: Record, text: String) {
    self.init(event, record, lines: [text])
  }

  package init(_ event: String, _ record: Record, lines: [String]) {
    self.event = event
    self.record = record
    self.lines = lines
  }

  package func encode(to encoder: any Encoder) throws { try encoder.encode(record, as: event) }
}

/// Standard output: a report at a time, each written at once and as a whole.
package struct Output: Sendable {
  /// The reader of standard output has left.
  package struct ReaderGone: Error {}

  package enum Style {
    case text
    case json
  }

  package var style: Style
  package var descriptor: Int32 = STDOUT_FILENO

  package init(isJSON: Bool) {
    style = isJSON ? .json : .text
  }

  /// Returns once the reader or the kernel has accepted the report.
  ///
  /// - Throws: ``ReaderStuck`` if the program ends and the reader takes nothing, see
  ///   ``OutputThread/hurry()``.
  package func write(_ report: some Report) async throws {
    try await OutputThread.shared.perform { try writeBlocking(report) }
  }

  /// Queues the report behind all earlier ones, without waiting for the reader.
  ///
  /// - Parameter failed: called if the report can't be written.
  /// - Returns: false if the queue is full and the report was dropped.
  package func writeLater(
    _ report: some Report,
    failed: @escaping @Sendable (any Error) -> Void = { _ in }
  ) -> Bool {
    OutputThread.shared.performLater {
      do { try writeBlocking(report) } catch { failed(error) }
    }
  }

  /// Returns once all queued reports have left.
  package func flush() async throws {
    try await OutputThread.shared.perform {}
  }

  /// Writes the report on the caller's thread, for a program that does nothing meanwhile.
  package func writeBlocking(_ report: some Report) throws {
    switch style {
    case .text: try write(line: Self.clean(report.lines))
    case .json: try write(line: Self.json(report))
    }
  }

  /// Writes a picture of characters, black on white whatever the terminal's own colours are.
  ///
  /// - Parameter lines: each with the text that stands beside it.
  package func write(blackOnWhite lines: [(picture: String, text: String)]) async throws {
    // Source of the numbers: xterm's 256 colours; those below 16 are the user's own.
    let lines = lines.map { picture, text in
      (picture.isEmpty ? "" : "\u{1B}[38;5;16;48;5;231m\(picture.printable)\u{1B}[0m")
        + text.printable
    }
    try await OutputThread.shared.perform { try write(line: lines.joined(separator: "\n")) }
  }

  /// The report as JSON on one line. What would control a terminal, turn the text around it or hide is
  /// escaped, as JSON allows: programs read the same.
  package static func json(_ report: some Encodable) throws -> String {
    let line = try JSONEncoding.line(report)
    let text = String(decoding: line, as: UTF8.self)
    guard line.contains(where: { $0 >= 0x7F }) else { return text }
    return text.unicodeScalars.reduce(into: "") { json, scalar in
      if scalar.isPrintable {
        json.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          json += "\\u" + rightAligned(String(unit, radix: 16), to: 4, with: "0")
        }
      }
    }
  }

  /// Lines as people may see them: a device's name must not control the terminal, nor forge a line.
  package static func clean(_ lines: [String]) -> String {
    lines.map(\.printable).joined(separator: "\n")
  }

  /// Writes a file's bytes as they are.
  package func write(bytes: [UInt8]) async throws {
    try await OutputThread.shared.perform { try put(bytes) }
  }

  private func write(line: String) throws { try put(Array((line + "\n").utf8)) }

  private func put(_ bytes: [UInt8]) throws {
    do throws(SystemError) {
      try writeAll(bytes, to: descriptor)
    } catch {
      if error.code == EPIPE { throw ReaderGone() }
      throw Failure(.inputOutput, "standard output: \(String(cString: strerror(error.code)))")
    }
  }

  // MARK: Standard error

  /// Writes a line to standard error.
  package static func complain(_ line: String) { complain([line]) }

  /// Writes an error to standard error, after what it is about.
  package static func complain(_ about: String, _ error: any Error) {
    complain(linesForPeople(error, about: about))
  }

  /// Writes lines to standard error. A failure is ignored: it can't be reported.
  ///
  /// It waits once for a reader that takes nothing, for ``OutputThread/readerTimeout``; after that it
  /// writes only what the reader takes at once.
  package static func complain(_ lines: [String]) {
    let timeout = complaintTimeout.withLock(\.self)
    do throws(SystemError) {
      try writeAll(clean(lines) + "\n", to: STDERR_FILENO, within: timeout)
    } catch {
      if error.code == ETIMEDOUT { complaintTimeout.withLock { $0 = .zero } }
    }
  }

  private static let complaintTimeout = Locked(OutputThread.readerTimeout)

  /// Complains like ``complain(_:)``, but waits as long as the reader takes: for a thread with no
  /// other work.
  package static func complainBlocking(_ line: String) {
    try? writeAll(clean([line]) + "\n", to: STDERR_FILENO)
  }
}
