import Glibc
package import Host

/// How the process ends, in the numbers of `sysexits.h`. The names are the codes of ``ErrorReport``:
/// programs compare them.
package enum ExitCode: Int32 {
  case ok = 0
  /// The command line is wrong.
  case usage = 64
  /// Input is wrong: a table, a track, a position.
  case badData = 65
  /// An input file can't be opened.
  case noInput = 66
  /// No BlueZ, no adapter, no machine.
  case unavailable = 69
  /// A defect of this program.
  case internalError = 70
  /// The system lacks a resource: threads, open files.
  case system = 71
  /// A socket, a lock or their folder can't be made.
  case cannotCreate = 73
  /// The system failed to read or write: a full disk, say.
  case inputOutput = 74
  /// It may work next time: a time-out, an unknown outcome.
  case temporary = 75
  case noPermission = 77
  case configuration = 78
}

/// Why a subcommand gives up: what is wrong and what to do about it, in a sentence or two.
package struct Failure: Error, Lined {
  package var code: ExitCode
  package var lines: [String]

  /// - Parameter description: one line.
  package init(_ code: ExitCode, _ description: String) { self.init(code, lines: [description]) }

  package init(_ code: ExitCode, lines: [String]) {
    self.code = code
    self.lines = lines
  }

  /// - Parameters:
  ///   - about: what it is about.
  ///   - cause: may have several lines.
  package init(_ code: ExitCode, about: String? = nil, _ cause: any Error) {
    self.init(code, lines: linesForPeople(cause, about: about))
  }

  /// Why the machine may go on after a stop with this outcome; nil if it has the stop command.
  package init?(ofStop outcome: String, _ reason: String) {
    switch outcome {
    case "confirmed", "alreadyStopped": return nil
    case "notDelivered": self.init(.unavailable, reason)
    // Also an outcome that this program doesn't know: when in doubt, the machine is not stopped.
    default: self.init(.temporary, reason)
    }
  }
}

/// An error that says how the process ends.
package protocol ExitCoded: Error {
  var exitCode: ExitCode { get }
  /// The error's word for programs, if it is not the name of the exit code.
  var errorCode: String? { get }
}

extension ExitCoded {
  package var errorCode: String? { nil }
}

extension ExitCode {
  /// A defect of this program, unless the error says otherwise.
  package init(for error: any Error) {
    self =
      switch error {
      case let error as any ExitCoded: error.exitCode
      case ParserExit.answered: .ok
      case ParserExit.answerLost: .inputOutput
      case is ParserExit, is UsageError: .usage
      case is TooFewFiles, is SystemError: .system
      // The reader has seen enough, as `head` does.
      case is Output.ReaderGone: .ok
      case is ReaderStuck: .inputOutput
      case is CancellationError: .ok
      default: .internalError
      }
  }

  /// A file that can't be opened or read.
  package init(opening error: SystemError) {
    self = error.isRefusal ? .noPermission : .noInput
  }

  /// A file that a person has named, and that can't be made or filled.
  package init(writing error: SystemError) {
    let isIncomplete = [ENOSPC, EDQUOT, EFBIG, EIO].contains(error.code)
    self = isIncomplete ? .inputOutput : ExitCode(creating: error)
  }

  /// A socket, a lock or a folder that can't be made.
  package init(creating error: SystemError) {
    self = error.isRefusal ? .noPermission : .cannotCreate
  }
}

extension SystemError {
  fileprivate var isRefusal: Bool { [EACCES, EPERM].contains(code) }
}

extension Failure: ExitCoded {
  package var exitCode: ExitCode { code }
}

extension MachineLockError: ExitCoded {
  package var exitCode: ExitCode {
    switch self {
    case .held: .temporary
    case .system(let error): ExitCode(creating: error)
    }
  }
}

extension StateLockError: ExitCoded {
  package var exitCode: ExitCode { .cannotCreate }
}

extension UnixSocketError: ExitCoded {
  package var exitCode: ExitCode {
    if case .system(let error) = self { ExitCode(creating: error) } else { .cannotCreate }
  }
}

extension RuntimeDirectoryError: ExitCoded {
  package var exitCode: ExitCode {
    switch self {
    case .notSafe, .ofAnotherUser: .noPermission
    case .notAbsolute, .ofSimulation, .notADirectory: .cannotCreate
    case .system(let error): ExitCode(creating: error)
    }
  }
}

extension LineClientError: ExitCoded {
  package var exitCode: ExitCode {
    switch code {
    case .unreachable, .strange: .unavailable
    case .noPermission: .noPermission
    case .silent, .lost: .temporary
    case .refused: .badData
    }
  }
}
