import Host
package import MachineLink

/// One thing that was checked on the way to the machine, and its state.
package struct Finding: Hashable, Sendable {
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

  package enum Verdict: String, Hashable, Sendable {
    case ok
    /// Worth knowing, but things work all the same.
    case note
    /// Something does not work.
    case problem
  }

  package var code: Code
  package var verdict: Verdict
  /// The state, in one line for people.
  package var text: String
  /// What to do about it.
  package var remedy: String?
  /// The link's fault behind it: the remedy's words may depend on the program.
  package var fault: LinkFault?
  /// Whether the cause is this user's missing rights.
  package var isRefusal = false

  package init(
    _ code: Code,
    _ verdict: Verdict,
    _ text: String,
    _ remedy: String? = nil,
    isRefusal: Bool = false
  ) {
    self.code = code
    self.verdict = verdict
    self.text = text.printable
    self.remedy = remedy?.printable
    self.isRefusal = isRefusal
  }

  package var subject: Subject { code.subject }

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
    self.init(
      code,
      verdict,
      fault.reason,
      fault.remedy,
      isRefusal: fault.isRefusal
    )
    self.fault = fault
  }
}
