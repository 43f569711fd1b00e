/// One thing that was looked at on the way to the machine, and how it is.
package struct Finding: Hashable, Sendable {
  /// What was looked at, in the order of the way. The raw values are stable: scripts read them.
  package enum Subject: String, Hashable, Sendable, CaseIterable {
    case bus
    case bluetoothd
    case kernel
    case rfkill
    case adapter
    case machine
    case lock
  }

  package enum Verdict: String, Hashable, Sendable {
    case ok
    /// Worth knowing, but a link can be made all the same.
    case note
    /// No link can be made.
    case problem
  }

  package var subject: Subject
  package var verdict: Verdict
  /// How it is.
  package var text: String
  /// What to do about it.
  package var remedy: String?
  /// Whether it is a question of this user's rights.
  package var isRefusal = false

  static func ok(_ subject: Subject, _ text: String) -> Finding {
    Finding(subject: subject, verdict: .ok, text: text)
  }

  static func note(_ subject: Subject, _ text: String, _ remedy: String? = nil) -> Finding {
    Finding(subject: subject, verdict: .note, text: text, remedy: remedy)
  }

  static func problem(_ subject: Subject, _ text: String, _ remedy: String?) -> Finding {
    Finding(subject: subject, verdict: .problem, text: text, remedy: remedy)
  }

  static func problem(_ subject: Subject, _ fault: LinkFault) -> Finding {
    Finding(
      subject: subject,
      verdict: .problem,
      text: fault.reason,
      remedy: fault.remedy,
      isRefusal: fault.isRefusal
    )
  }
}
