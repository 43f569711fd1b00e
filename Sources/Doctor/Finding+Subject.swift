import Configuration
import Host
package import MachineLink
package import Programs

// The findings on the way to the machine.

extension Finding {
  /// What was checked, in the order of the way. The raw values are stable: scripts read them.
  package enum Subject: String, Hashable, Sendable, CaseIterable {
    case configuration = "config"
    case table
    case bus
    case bluetoothd
    case permission
    case kernel
    case rfkill
    case adapter
    case machine
    case signal
    case connection
    case services
    case lock
    case stop
    case service
    /// A framed machine's.
    case answers
    case sockets
    case groups
    case disk
    case power
    case clock

    /// Whether a problem with it keeps every link from being made.
    package var isOnTheWay: Bool {
      switch self {
      case .stop, .service, .answers, .sockets, .groups, .disk, .power, .clock: false
      default: true
      }
    }
  }

  /// Nil for what another program's doctor looked at.
  package var subject: Subject? { Subject(rawValue: check) }

  package init(
    _ code: Code,
    _ verdict: Verdict,
    _ text: String,
    _ remedy: String? = nil,
    isRefusal: Bool = false
  ) {
    self.init(
      code.rawValue,
      verdict,
      text.printable,
      remedy?.printable,
      check: code.subject.rawValue
    )
    self.isRefusal = isRefusal
  }

  package static func ok(_ code: Code, _ text: String) -> Finding { Finding(code, .ok, text) }

  package static func note(_ code: Code, _ text: String, _ remedy: String? = nil) -> Finding {
    Finding(code, .note, text, remedy)
  }

  package static func problem(_ code: Code, _ text: String, _ remedy: String?) -> Finding {
    Finding(code, .problem, text, remedy)
  }

  package static func problem(_ code: Code, _ fault: LinkFault) -> Finding {
    Finding(code, .problem, fault)
  }

  package static func note(_ code: Code, _ fault: LinkFault) -> Finding {
    Finding(code, .note, fault)
  }

  private init(_ code: Code, _ verdict: Verdict, _ fault: LinkFault) {
    self.init(code, verdict, fault.reason, fault.advice, isRefusal: fault.isRefusal)
  }
}
