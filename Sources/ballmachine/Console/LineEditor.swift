import CEdit
import Glibc
import Synchronization
import Threads

/// A prompt on a terminal with history and completion: libedit, which has one of them in a process,
/// on a thread of its own. C stays in this file.
struct LineEditor: Sendable {
  /// The lines that the history keeps.
  private static let historyLength: Int32 = 500

  private let thread = LoopExecutor()
  /// nil: the history is forgotten in the end.
  private let historyPath: String?

  /// - Parameters:
  ///   - historyPath: where the history of other times stands.
  ///   - complete: what the last word of a line, which ends at the cursor, may become.
  init(historyPath: String?, complete: @escaping @Sendable (String) -> [String]) {
    self.historyPath = historyPath
    completer.withLock { $0 = complete }
    thread.perform {
      using_history()
      stifle_history(Self.historyLength)
      if let historyPath { read_history(historyPath) }
      cedit_complete_with(completions)
    }
  }

  /// The next line; nil when there are no more (Ctrl-D), and when the task is cancelled.
  ///
  /// - Parameter isRemembered: whether it belongs to the history.
  func line(_ prompt: String, isRemembered: Bool = true) async -> String? {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    thread.perform {
      if let line = readline(prompt) {
        let text = String(cString: line)
        if isRemembered { remember(text) }
        continuation.yield(text)
        free(line)
      } else {
        // Ctrl-D ends no line.
        try? writeAll("\n", to: STDOUT_FILENO)
      }
      continuation.finish()
    }
    for await line in lines { return line }
    return nil
  }

  private func remember(_ line: String) {
    guard line.contains(where: { !$0.isWhitespace }) else { return }
    add_history(line)
    // At once: Ctrl-C may be the end.
    if let historyPath, write_history(historyPath) == 0 { chmod(historyPath, 0o600) }
  }
}

/// C functions carry no context, and there is one terminal.
private let completer = Mutex<@Sendable (String) -> [String]> { _ in [] }

/// What libedit wants: the longest common beginning, then all of them, then a null, each to be freed
/// by libedit.
private func completions(
  _ word: UnsafePointer<CChar>?,
  _ start: Int32,
  _ end: Int32
) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
  cedit_completion_is_over()
  guard let buffer = cedit_line() else { return nil }
  let bytes = UnsafeBufferPointer(start: buffer, count: Int(end)).map { UInt8(bitPattern: $0) }
  let candidates = completer.withLock(\.self)(String(decoding: bytes, as: UTF8.self))
  guard let first = candidates.first else { return nil }
  let common = candidates.reduce(first) { common, candidate in
    String(zip(common, candidate).prefix { $0 == $1 }.map(\.0))
  }
  let texts = candidates.count == 1 ? [first] : [common] + candidates
  let list = calloc(texts.count + 1, MemoryLayout<UnsafeMutablePointer<CChar>?>.stride)?
    .assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
  for (index, text) in texts.enumerated() { list?[index] = strdup(text) }
  return list
}
