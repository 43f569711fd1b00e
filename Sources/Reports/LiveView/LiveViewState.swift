import Clocks
package import ControlProtocol
package import CourtLogic
import Host
import JSON
package import Terminal

/// All that ``LiveView`` shows, as of one moment.
package struct LiveViewState: Sendable {
  /// The service's status, as it said it last.
  package var status: StatusRecord
  /// When the run ends by itself, since its start.
  package var duration: Duration?
  /// How many times faster than real time.
  package var speed = 1.0
  /// Whether the arming isn't shown, because the run arms by itself.
  package var isSelfArming = false
  /// Why no ball comes: `disarmed`, `no position for 4 s`.
  package var holding: String?
  /// What the keyboard does.
  package var keys = Keys.endsRun
  /// The last stop by a key.
  package var stop: StopOutcome?
  /// Whether the service hasn't answered for too long to trust what it said last.
  private(set) var isSilent = false

  /// What is shown of the last stop by a key.
  package enum StopOutcome: Sendable {
    case underWay
    case known(StopReport)
    case failed(any Error)
  }

  package enum Keys: Equatable, Sendable {
    /// Ctrl-C ends the bridge itself.
    case endsRun
    /// Ctrl-C ends the view, where there is no keyboard for keys.
    case endsView
    /// A key stops the machine, another one ends the view.
    case stopsAndLeaves
  }

  /// After it, what the service has said last may be wrong.
  static let patience = Duration.seconds(2)

  package init(_ status: StatusRecord) {
    self.status = status
    let hold = status.safety.state == "countdown" ? nil : status.holdText
    holding = hold ?? (status.safety.state == "live" ? nil : "none")
  }

  /// Takes back what may have changed since the service answered last.
  package mutating func doubt(after silence: Duration) {
    guard silence >= Self.patience else { return }
    isSilent = true
    let text = "no answer for \(silence.components.seconds) s"
    status.t += silence.seconds
    status.safety = SafetyRecord(state: text)
    status.link = LinkRecord(state: text)
    status.player = nil
    holding = text
  }
}

extension StatusRecord {
  /// What holds balls back; the view itself shows that no player is seen.
  package var holdText: String? {
    safety.holds.first { $0.code != "notSeen" }?.text
  }
}

// How the view shows the records. The service may have another version.

extension StatusRecord.Court {
  var drawn: Court { (try? Court(apron: apron, rows: rows, columns: columns)) ?? Court() }
}

extension StatusRecord.Player {
  /// Nil out of court.
  package var place: Zone? { zone.flatMap { Zone($0) } }
}

extension LinkRecord {
  package var style: TextStyle { reason != nil ? .red : isReady ? .green : .yellow }

  /// More for a technician, the most important first; as many as fit.
  ///
  /// - Parameter now: in seconds on the service's clock.
  func details(at now: Double) -> [String] {
    let attempts = attempts(at: now)
    return [
      attempts.isEmpty ? nil : attempts.joined(separator: ", "),
      profile.map { "profile \($0)" }, since.map { "since \($0.local)" }, signalText, adapterText,
    ].compactMap(\.self)
  }
}

extension SafetyRecord {
  package var style: TextStyle {
    switch state {
    case "live": .green
    case "stopped": .red
    default: .yellow
    }
  }
}

extension OutcomeRecord? {
  package var style: TextStyle {
    switch self?.outcome {
    case "delivered": .green
    case "queued", nil: .yellow
    default: .red
    }
  }
}
