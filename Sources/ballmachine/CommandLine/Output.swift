import Bridge
import FoundationEssentials
import Glibc
import Threads

/// Something that a subcommand tells: an object for machines, text for people.
protocol Report: Encodable, Sendable {
  /// One line or several, without the last line feed.
  var text: String { get }
}

/// The option that every subcommand with machine-readable output has.
struct OutputOptions {
  var json = false

  static let options: [Option<OutputOptions>] = [
    .flag("json", \.json, "Print one JSON object per line and nothing else")
  ]
}

/// Standard output: a report at a time, each written at once and as a whole.
struct Output: Sendable {
  /// Nobody reads standard output any more.
  struct ReaderGone: Error {}

  enum Style {
    case text
    case json
  }

  var style: Style
  var descriptor: Int32 = STDOUT_FILENO

  init(_ options: OutputOptions) {
    style = options.json ? .json : .text
  }

  /// Returns when whoever reads it has taken it, or the system in his place.
  func write(_ report: some Report) async throws {
    try await OutputThread.shared.perform { try writeBlocking(report) }
  }

  /// The same, for a program that does nothing else meanwhile.
  func writeBlocking(_ report: some Report) throws {
    switch style {
    case .text: try write(line: Self.lines(report.text))
    case .json: try write(line: Self.json(report))
    }
  }

  /// The report as JSON on one line.
  static func json(_ report: some Encodable) throws -> String {
    String(decoding: try RecordEncoding.line(report), as: UTF8.self)
  }

  /// What goes to a terminal says nothing but words, whatever strangers call their devices.
  static func lines(_ text: String) -> String {
    String(text.map { $0 == "\n" || $0.isPrintable ? $0 : "?" })
  }

  private func write(line: String) throws {
    do throws(WriteError) {
      try writeAll(line + "\n", to: descriptor)
    } catch {
      if error.errno == EPIPE { throw ReaderGone() }
      throw Failure(.inputOutput, "standard output: \(String(cString: strerror(error.errno)))")
    }
  }

  /// A line on standard error. Where even that fails, nobody is left to be told.
  static func complain(_ line: String) {
    try? writeAll(lines(line) + "\n", to: STDERR_FILENO)
  }
}

/// The thread on which we wait for whoever reads what we say: a pipe may be full, a terminal stopped
/// with Ctrl-S, and balls and signals have to go on.
actor OutputThread {
  static let shared = OutputThread()

  private let executor = LoopExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func perform(_ body: @Sendable () throws -> Void) rethrows { try body() }
}

/// `write` failed.
struct WriteError: Error {
  var errno: Int32
}

/// Writes all of `text`, past interruptions and past pipes that are full for now.
func writeAll(_ text: String, to descriptor: Int32) throws(WriteError) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno == EAGAIN {
      // Somebody shares this terminal and made it non-blocking.
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&waiting, 1, -1)
    } else if errno != EINTR {
      throw WriteError(errno: errno)
    }
  }
}
