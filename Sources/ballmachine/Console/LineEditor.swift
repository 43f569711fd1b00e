import CEdit
import Glibc
import Host
import Synchronization

/// A terminal prompt with history and completion, by libedit on a thread of its own. libedit has
/// one prompt per process. C stays in this file.
struct LineEditor: Sendable {
  /// The most lines that the history keeps.
  private static let historyLength: Int32 = 500

  private let thread = LoopExecutor()
  /// nil: the history is not saved.
  private let historyPath: String?

  /// - Parameters:
  ///   - historyPath: the file of the saved history.
  ///   - complete: the completions of the last word of a line, which ends at the cursor.
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
  /// - Parameter isRemembered: whether the line goes into the history.
  func line(_ prompt: String, isRemembered: Bool = true) async -> String? {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    thread.perform {
      if let line = readline(prompt) {
        let text = String(cString: line)
        if isRemembered { remember(text) }
        continuation.yield(text)
        free(line)
      } else {
        // Ctrl-D prints no line feed.
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
    // Saved at once: Ctrl-C may end the program.
    if let historyPath, write_history(historyPath) == 0 { chmod(historyPath, 0o600) }
  }
}

/// Global, because C functions carry no context; there is one terminal.
private let completer = Mutex<@Sendable (String) -> [String]> { _ in [] }

/// The list that libedit expects: the longest common prefix, all candidates, a null. libedit frees
/// each of them.
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
