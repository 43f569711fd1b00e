import Bridge
import Clocks
import CourtLogic
import MachineLink
import Positions
import Safety

/// Seconds since the run began, at the beginning of each line for people.
struct ElapsedTime {
  var start: MonotonicInstant

  func text(_ instant: MonotonicInstant) -> String {
    let seconds = max(0, start.duration(to: instant) / .seconds(1))
    let text = seconds.fixed(3)
    return String(repeating: " ", count: max(0, 9 - text.count)) + text
  }
}

/// An event: its record for machines, a line for people.
struct EventReport: Report {
  var record: EventRecord
  var elapsed: ElapsedTime

  var text: String { "\(elapsed.text(record.instant))  \(words)" }

  /// The text without the time.
  var words: String {
    switch record.event {
    case .link: linkText.map { "link  \($0.text)" } ?? ""
    case .safety(let status): "safety  \(SafetyText(status, at: record.instant).text)"
    case .dispatched(let dispatch): dispatch.text
    case .held(let held): held.text
    case .manual(let dispatch): dispatch.text
    case .stopped(let outcome): "stop  \(outcome.text)"
    case .positions(let event): "feed  \(event.text)"
    case .dropped(let count): "dropped  \(counted(count, "event")): the reader is too slow"
    }
  }

  /// What the event says of the link, if it is about the link.
  var linkText: LinkText? {
    guard case .link(let status) = record.event, let since = record.since else { return nil }
    return LinkText(status: status, now: record.instant, since: since)
  }

  func encode(to encoder: any Encoder) throws {
    try record.encode(to: encoder)
  }
}

extension Dispatch {
  /// The command and its outcome.
  fileprivate var text: String {
    let parts =
      ["ball \(number)"] + decision.columns + [
        outcome.map(\.text) ?? "on its way", latency.map(\.milliseconds) ?? "",
      ]
    return parts.joined(separator: "  ")
  }
}

extension HeldDecision {
  /// The decision and why it was held.
  fileprivate var text: String {
    let reasons = holds.map(\.description).joined(separator: "; ")
    return (["held"] + decision.columns + [reasons]).joined(separator: "  ")
  }
}

extension ManualDispatch {
  /// The command by hand and its outcome.
  fileprivate var text: String {
    "by hand  \(command)  \(outcome.text)  \(latency.milliseconds)"
  }
}

extension PositionEvent {
  static func standstillText(_ seconds: Double) -> String {
    "the service stood still for \(seconds.fixed(1)) s: positions from that time are not used"
  }

  fileprivate var text: String {
    switch self {
    case .opened(let connection): "\(connection) opened"
    case .closed(let connection): "\(connection) closed"
    case .badLine(let line, let connection): "\(connection), \(line)"
    case .clientRefused(let limit): "a feeder was sent away: \(limit) are connected already"
    case .stoodStill(let gap): Self.standstillText(gap.seconds)
    case .ended: "the positions have ended"
    case .position(let position, let source, _): "\(source): \(position.x) \(position.y)"
    }
  }
}

extension WriteOutcome {
  /// The outcome and its reason.
  var text: String { Self.text(word, reason: explanation) }

  /// The same, from the word that machines get.
  static func text(_ word: String, reason: String?) -> String {
    let words =
      switch word {
      case "queued": "queued, not acknowledged"
      case "notSent": "not sent"
      default: word
      }
    return words + (reason.map { ": \($0)" } ?? "")
  }
}

extension Duration {
  var milliseconds: String { "\((self / .milliseconds(1)).fixed(1)) ms" }
}
