/// Commands in a row that the machine refused or did not answer.
package struct Refusals: Hashable, Sendable {
  /// At least one.
  package private(set) var count = 1
  /// The last one's outcome.
  package private(set) var outcome: WriteOutcome

  package init(_ outcome: WriteOutcome) { self.outcome = outcome }

  mutating func add(_ outcome: WriteOutcome) {
    count += 1
    self.outcome = outcome
  }

  /// What is the matter.
  package var reason: String {
    let which = count == 1 ? "the last command" : "the last \(count) commands"
    return "the machine did not take \(which): \(outcome.explanation ?? outcome.word)"
  }
}

extension WriteOutcome {
  /// Whether the machine took it: false if the machine refused it or did not answer, nil if the
  /// outcome says nothing of the machine.
  package var wasTaken: Bool? {
    switch self {
    case .delivered, .queued: true
    case .notSent(.rejected), .notSent(.refused): false
    case .unknown(.timedOut), .unknown(.linkLost), .unknown(.failed): false
    case .notSent, .unknown: nil
    }
  }

  /// What a technician can do; nil where that is known elsewhere, or nothing has to be done.
  package var remedy: String? {
    switch self {
    case .notSent(.rejected(let code)): ATTError(code: code).remedy
    case .notSent(.refused): "`journalctl -u bluetooth -e` may show why"
    case .notSent(.machineInUse): "end the other program"
    case .unknown(.timedOut), .unknown(.linkLost): "switch the machine off and on"
    case .delivered, .queued, .notSent, .unknown: nil
    }
  }
}
