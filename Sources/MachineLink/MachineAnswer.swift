/// What the machine itself said of a command, beside the outcome of the write.
package enum MachineAnswer: String, CaseIterable, Hashable, Sendable {
  /// Nothing, within 2 s or until the next command.
  case none
  /// The machine has begun.
  case accepted
  /// The machine is done.
  case completed
  case refused

  /// Whether the machine does it.
  package var isPositive: Bool { self == .accepted || self == .completed }

  /// Whether the machine took the command; nil if that was said before, or can't be said.
  ///
  /// - Parameter outcome: of the write. Only a machine whose radio has the command must answer it.
  package func wasTaken(after outcome: WriteOutcome) -> Bool? {
    isPositive ? true : outcome.isWritten ? false : nil
  }
}

/// A frame in which the machine answers: `5A A5 82`, a code, a check byte.
/// Source: the machine maker's app, version 0.3.
struct AnswerFrame: Hashable, Sendable {
  let answer: MachineAnswer
  /// Whether its check byte is the one that was not configured.
  let hasOtherCheckByte: Bool

  enum Flaw: Error, Hashable, Sendable {
    /// No such frame: cut, too long, or other bytes.
    case malformed
    case wrongCheckByte
  }

  /// - Parameter expected: the check byte of commands; an answer may have the other one.
  init(_ bytes: [UInt8], expecting expected: CheckByte) throws(Flaw) {
    guard bytes.count == 5, bytes.starts(with: [0x5A, 0xA5, 0x82]) else { throw .malformed }
    let checks = CheckByte.allCases.filter { $0.of(bytes.dropLast()) == bytes[4] }
    guard !checks.isEmpty else { throw .wrongCheckByte }
    hasOtherCheckByte = !checks.contains(expected)
    switch bytes[3] {
    case 0: answer = .refused
    case 1: answer = .accepted
    case 2: answer = .completed
    default: throw .malformed
    }
  }
}
