import CEdit
import Glibc
import Host
import Programs
import Synchronization

/// A terminal prompt with history and completion, by libedit on a thread of its own. libedit has
/// one prompt per process. C stays in this file.
struct LineEditor: Sendable {
  /// The most lines that the history keeps.
  private static let historyLength: Int32 = 500
  /// In milliseconds. The next line of a paste comes within this time after an Enter; a person's next key
  /// comes later.
  static let pasteGap: Int32 = 30

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
      cedit_read_with(nextByte, Interrupt.key, interrupted)
    }
  }

  /// Clears a line that has been begun. An empty one ends, as with Ctrl-D.
  ///
  /// - Returns: false while no line is being read.
  func interrupt() -> Bool {
    Interrupt.isReading.withLock { isReading in
      if isReading { Interrupt.bell?.ring() }
      return isReading
    }
  }

  /// The next line; nil when there are no more (Ctrl-D), and when the task is cancelled.
  ///
  /// - Parameter isQuestion: the answer doesn't go into the history.
  func line(_ prompt: String, isQuestion: Bool = false) async -> String? {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    thread.perform {
      Interrupt.bell?.answer()
      Interrupt.isReading.withLock { $0 = true }
      defer { Interrupt.isReading.withLock { $0 = false } }
      if let line = readline(prompt) {
        let text = String(cString: line)
        if !isQuestion { remember(text) }
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

  /// The lines that are typed while a command runs, until `end` rings. The terminal edits them. The
  /// end of the input counts as an empty line.
  func typedLines(until end: Doorbell) -> AsyncStream<[String]> {
    let (pieces, continuation) = AsyncStream.makeStream(of: [String].self)
    thread.perform {
      defer { continuation.finish() }
      var rest: [UInt8] = []
      while isInput(before: end) {
        let (bytes, isEnd) = takeInput()
        var lines = (rest + bytes)
          .split(omittingEmptySubsequences: false, whereSeparator: isLineEnd)
        if !isEnd { rest = Array(lines.removeLast()) }
        if !lines.isEmpty { continuation.yield(lines.map { String(decoding: $0, as: UTF8.self) }) }
        guard !isEnd else { return }
      }
    }
    return pieces
  }

  /// Takes the lines that have come and were not read, each within `gap` of the one before.
  ///
  /// - Parameter gap: in milliseconds. Without one, a line that has no end yet is dropped if the
  ///   terminal still edits it.
  func waitingLines(within gap: Int32 = 0) async -> [String] {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    thread.perform {
      for line in takeInput(within: gap).bytes.split(whereSeparator: isLineEnd) {
        continuation.yield(String(decoding: line, as: UTF8.self))
      }
      if gap == 0 { tcflush(STDIN_FILENO, TCIFLUSH) }
      continuation.finish()
    }
    return await lines.reduce(into: []) { $0.append($1) }
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

/// Ctrl-C while a line is being read. The signal goes to another thread, so it becomes a key.
private enum Interrupt {
  /// Ctrl-\\, which a person can't type: it is a signal, too.
  static let key: Int32 = 0x1C
  /// Kills the whole line in libedit.
  static let killLine: Int32 = 0x15

  static let bell = try? Doorbell()
  static let isReading = Locked(false)
  /// A key that follows without being typed; 0: none.
  static let following = Atomic<Int32>(0)
}

/// The next byte of standard input, or the key of an interruption; -1 at the end.
private func nextByte(_: UnsafeMutablePointer<FILE>?) -> Int32 {
  let following = Interrupt.following.exchange(0, ordering: .relaxed)
  if following != 0 { return following }
  while true {
    guard isInput(before: Interrupt.bell) else {
      Interrupt.bell?.answer()
      return Interrupt.key
    }
    var byte: UInt8 = 0
    let count = read(STDIN_FILENO, &byte, 1)
    if count < 0, errno == EINTR { continue }
    return count == 1 ? Int32(byte) : -1
  }
}

/// What can be read of standard input until nothing comes for `gap` milliseconds, and whether it has
/// ended. Input without end must not keep a stop waiting.
private func takeInput(within gap: Int32 = 0) -> (bytes: [UInt8], isEnd: Bool) {
  var taken: [UInt8] = []
  var bytes = [UInt8](repeating: 0, count: 4096)
  var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
  while taken.count < 65_536, poll(&input, 1, gap) > 0 {
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return (taken, true) }
    taken += bytes.prefix(count)
  }
  return (taken, false)
}

/// What was pasted at the prompt has either.
private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

/// Waits for standard input.
///
/// - Returns: false once `bell` rings.
private func isInput(before bell: Doorbell?) -> Bool {
  while true {
    var files = [STDIN_FILENO, bell?.descriptor.number ?? -1].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    if poll(&files, 2, -1) > 0 { return files[1].revents == 0 }
  }
}

/// Called by libedit for ``Interrupt/key``.
private func interrupted(_: Int32, _: Int32) -> Int32 {
  if cedit_length() > 0 {
    Interrupt.following.store(Interrupt.killLine, ordering: .relaxed)
  } else {
    cedit_finish()
  }
  return 0
}

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
