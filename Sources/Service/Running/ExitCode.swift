import Bridge
package import Configuration
package import ControlProtocol
package import CourtLogic
package import Drills
import Host
import JSON
package import MachineLink
package import Positions
package import Programs
package import RunLog
package import Safety

extension Failure {
  /// The machine could not be used; names the link's fault if there is one.
  package init(notReady status: LinkStatus?) {
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
  package init(unconfirmedStop stop: StopOutcome) {
    let code: ExitCode = if case .notDelivered = stop { .unavailable } else { .temporary }
    self.init(code, "\(stop); the next program that reaches the machine sends it first")
  }

  package init(linkFault fault: LinkFault) {
    self.init(linkFault: fault, advice: fault.advice)
  }

  /// The fault, the kernel's view of it, and what to do.
  private init(linkFault fault: LinkFault, advice: String?) {
    self.init(
      fault.isRefusal ? .noPermission : fault.holder != nil ? .temporary : .unavailable,
      fault.reason + (fault.kernelsView.map { "; \($0)" } ?? "")
        + (advice.map { "; \($0)" } ?? "")
    )
  }
}

// The one place where the errors of the modules below become exit codes.

extension CommandTableFileError: ExitCoded {
  package var exitCode: ExitCode {
    if case .unreadable(let error) = reason { ExitCode(opening: error) } else { .badData }
  }
}

extension DrillError: ExitCoded {
  package var exitCode: ExitCode { isMissing ? .noInput : .badData }
}

extension TrackError: ExitCoded {
  package var exitCode: ExitCode {
    if case .unreadable(let error) = self { ExitCode(opening: error) } else { .badData }
  }
}

extension PositionFeedError: ExitCoded {
  package var exitCode: ExitCode {
    if case .socket(let error) = self { error.exitCode } else { .noInput }
  }
}

extension ConfigurationError: ExitCoded {
  package var exitCode: ExitCode { isRefusal ? .noPermission : .configuration }
}

extension MachineCommandError: ExitCoded {
  package var exitCode: ExitCode { .badData }
}

extension MachineLimitError: ExitCoded {
  package var exitCode: ExitCode { .badData }
}

extension PositionError: ExitCoded {
  package var exitCode: ExitCode { .badData }
}

/// The service's error, or its silence.
extension ControlClientError: ExitCoded {
  package var exitCode: ExitCode {
    switch self {
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

  /// The service's word for its refusal.
  package var errorCode: String? {
    if case .failed(_, _, let data) = self { data?["code"]?.string } else { nil }
  }
}
