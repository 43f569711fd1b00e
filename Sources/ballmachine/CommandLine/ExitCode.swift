import Bridge
import Configuration
import ControlProtocol
import CourtLogic
import Glibc
import Host
import MachineLink
import Positions
import Safety
import SessionLog

/// How the process ends, in the numbers of `sysexits.h`. The names are the codes of ``ErrorReport``:
/// programs compare them.
enum ExitCode: Int32 {
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
struct Failure: Error, CustomStringConvertible {
  var code: ExitCode
  var description: String

  init(_ code: ExitCode, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension Failure {
  /// The machine could not be used; names the link's fault if there is one.
  init(notReady status: LinkStatus?) {
    if let fault = status?.fault {
      self.init(linkFault: fault, advice: status?.advice)
    } else {
      let doubt = status?.isChosenByMemory == true ? "; \(LinkStatus.otherMachine)" : ""
      self.init(
        .unavailable,
        "the machine was not ready in time; check that it is on and near" + doubt
      )
    }
  }

  /// The machine has not acknowledged the stop command.
  init(unconfirmedStop outcome: WriteOutcome) {
    let stop = StopOutcome(outcome)
    let code: ExitCode = if case .notDelivered = stop { .unavailable } else { .temporary }
    self.init(code, "\(stop); the next program that reaches the machine sends it first")
  }

  init(linkFault fault: LinkFault) {
    self.init(linkFault: fault, advice: fault.advice)
  }

  /// The fault, the kernel's view of it, and what to do.
  private init(linkFault fault: LinkFault, advice: String?) {
    self.init(
      fault.isRefusal ? .noPermission : .unavailable,
      fault.reason + (fault.kernelsView.map { "; \($0)" } ?? "")
        + (advice.map { "; \($0)" } ?? "")
    )
  }
}

extension ExitCode {
  /// The one place where errors become exit codes.
  init(for error: any Error) {
    self =
      switch error {
      case let failure as Failure: failure.code
      case ParserExit.answered: .ok
      case is ParserExit, is UsageError: .usage
      case let error as CommandTableFileError:
        if case .unreadable(let error) = error.reason { ExitCode(opening: error) } else { .badData }
      case let error as TrackError:
        if case .unreadable(let error) = error { ExitCode(opening: error) } else { .badData }
      case let error as MachineLockError:
        switch error {
        case .held: .temporary
        case .system(let error): ExitCode(creating: error)
        }
      case let error as RuntimeDirectoryError: ExitCode(error)
      case let error as UnixSocketError: ExitCode(error)
      case let error as ControlClientError: ExitCode(error)
      case PositionFeedError.socket(let error): ExitCode(error)
      case is PositionFeedError: .noInput
      case is TooFewFiles, is SystemError: .system
      case let error as ConfigurationError: error.isRefusal ? .noPermission : .configuration
      case is MachineCommandError, is MachineLimitError: .badData
      case is PositionError: .badData
      // The reader has seen enough, as `head` does.
      case is Output.ReaderGone: .ok
      case is ReaderStuck: .inputOutput
      case is CancellationError: .ok
      default: .internalError
      }
  }

  /// The service's error, or its silence.
  private init(_ error: ControlClientError) {
    self =
      switch error {
      case .noService, .strange, .untrusted: .unavailable
      case .noPermission: .noPermission
      // The service may have done it, but its answer is missing.
      case .silent, .lost: .temporary
      case .cancelled: .ok
      case .system: .inputOutput
      case .failed(let code, _, _):
        switch ControlError.Code(rawValue: code) {
        case .forbidden: .noPermission
        case .refused, .tooMany: .temporary
        case .unavailable: .unavailable
        case .invalidParameters: .usage
        case .parseError, .invalidRequest, .methodNotFound, .internalError, nil: .internalError
        }
      }
  }

  /// A file that can't be opened or read.
  private init(opening error: SystemError) {
    self = error.isRefusal ? .noPermission : .noInput
  }

  /// A socket, a lock or a folder that can't be made.
  private init(creating error: SystemError) {
    self = error.isRefusal ? .noPermission : .cannotCreate
  }

  private init(_ error: UnixSocketError) {
    if case .system(let error) = error { self.init(creating: error) } else { self = .cannotCreate }
  }

  private init(_ error: RuntimeDirectoryError) {
    switch error {
    case .notSafe, .ofAnotherUser: self = .noPermission
    case .notAbsolute, .ofSimulation, .notADirectory: self = .cannotCreate
    case .system(let error): self.init(creating: error)
    }
  }
}

extension SystemError {
  fileprivate var isRefusal: Bool { [EACCES, EPERM].contains(code) }
}
