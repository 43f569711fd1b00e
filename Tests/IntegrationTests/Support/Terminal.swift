import Clocks
import TestSupport

/// A shell at a pseudo-terminal, by script(1): what a person types there, and what the person sees.
///
/// The prompt shows the exit code of the last command. What is seen is waited for, and in order: text
/// counts once, and what comes before it is passed over.
final class Terminal {
  struct NotSeen: Error, CustomStringConvertible {
    /// Of the test.
    var line: Int
    var text: String
    var instead: String

    var description: String { "line \(line): “\(text)” was not seen, but: \(instead)" }
  }

  static let ctrlC = "\u{3}"
  /// What ``sees(_:)`` has for the deletion of the rest of a line.
  static let erased = "⌫"

  /// A box that is busy may be slow.
  private static let patience = Duration.seconds(60)

  private let shell: RunningProgram
  /// How much of the shell's output is in ``shown`` or was seen.
  private var taken = 0
  /// What was shown since what was seen last, without control sequences.
  private var shown: [UInt8] = []
  private var isInSequence = false

  /// - Parameter setup: has the bus that the user has for the system's, and the working directory.
  init(on setup: CommandLineSetup, columns: Int = 80, rows: Int = 24) throws {
    shell = try setup.start(
      [],
      script: """
        export PATH=${1%/*}:$PATH PROMPT='[$?] $ ' TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8
        export DBUS_SYSTEM_BUS_ADDRESS='\(setup.address)'
        cd \(setup.directory)
        exec script --quiet --command \
        "stty cols \(columns) rows \(rows); PS1=\\$PROMPT exec bash --norc --noediting -i" /dev/null
        """
    ).program
  }

  /// Types a command at the shell's prompt.
  ///
  /// - Parameter code: the exit code of the command before.
  func types(_ command: String, after code: Int32 = 0, line: Int = #line) async throws {
    try await types(command, at: "[\(code)] $ ", line: line)
  }

  /// Types a line, and sees it.
  func types(_ text: String, at prompt: String, line: Int = #line) async throws {
    try await sees(prompt, line: line)
    presses(text + "\n")
    try await sees(text, line: line)
  }

  /// Presses keys that the program may not show.
  func presses(_ keys: String) { shell.write(keys) }

  /// Waits for each of these texts, one after the other.
  ///
  /// - Returns: all that was shown up to the end of the last one.
  @discardableResult
  func sees(_ texts: String..., line: Int = #line) async throws -> String {
    var seen: [UInt8] = []
    for text in texts { seen += try await wait(for: Array(text.utf8), line: line) }
    return String(decoding: seen, as: UTF8.self)
  }

  private func wait(for text: [UInt8], line: Int) async throws -> [UInt8] {
    let clock = SuspendingClock()
    let end = clock.now.advanced(by: Self.patience)
    var searched = 0
    while true {
      if let range = shown[max(searched - text.count, 0)...].firstRange(of: text) {
        defer { shown.removeSubrange(..<range.upperBound) }
        return Array(shown[..<range.upperBound])
      }
      searched = shown.count
      while !take() {
        guard clock.now < end else {
          throw NotSeen(
            line: line,
            text: String(decoding: text, as: UTF8.self),
            instead: String(decoding: shown.suffix(3000), as: UTF8.self)
          )
        }
        try await Task.sleep(for: .milliseconds(10))
      }
    }
  }

  /// Takes what has come from the shell.
  ///
  /// - Returns: whether something has.
  private func take() -> Bool {
    let output = shell.output
    defer { taken = output.count }
    for byte in output[taken...] {
      if isInSequence {
        // A control sequence is ESC, parameters and a letter.
        isInSequence = "[?;0123456789".utf8.contains(byte)
        if byte == UInt8(ascii: "K") { shown += Self.erased.utf8 }
      } else if byte == 0x1B {
        isInSequence = true
      } else if byte != UInt8(ascii: "\r") {
        shown.append(byte)
      }
    }
    return output.count > taken
  }
}
