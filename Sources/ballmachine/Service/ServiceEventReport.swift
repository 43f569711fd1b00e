import JSON
import MachineLink
import Positions

/// An event in the service: its record as it is, or a line for people.
struct ServiceEventReport: Report {
  let record: JSONValue
  /// What the line says of the link, if it is about the link.
  let link: LinkText?
  let text: String

  /// - Returns: nil for a record that this program doesn't understand.
  init?(_ record: JSONValue) {
    guard let event = try? record.decoded(as: ServiceEvent.self) else { return nil }
    self.record = record
    var link: LinkText?
    var words: String?
    switch event.event {
    case "link":
      link = (try? record.decoded(as: ServiceLink.self)).map {
        LinkText($0, now: event.t, time: event.time)
      }
      words = link.map { "link  \($0.text)" }
    case "safety":
      words = (try? record.decoded(as: ServiceSafety.self)).map { "safety  \(SafetyText($0).text)" }
    case "dispatch": words = (try? record.decoded(as: ServiceDispatch.self))?.ballText
    case "manual": words = (try? record.decoded(as: ServiceDispatch.self))?.manualText
    case "held": words = (try? record.decoded(as: ServiceHeld.self))?.text
    case "stop":
      words = record["outcome"]?.string.map {
        "stop  \(WriteOutcome.text($0, reason: record["reason"]?.string))"
      }
    case "feed": words = (try? record.decoded(as: ServiceFeed.self)).map { "feed  \($0.text)" }
    default: break
    }
    self.link = link
    let time = event.time.map(localTime) ?? ""
    text = "\(time)  \(words ?? event.event)"
  }

  func encode(to encoder: any Encoder) throws {
    try record.encode(to: encoder)
  }
}

extension ServiceDispatch {
  fileprivate var ballText: String {
    (["ball \(number)"] + columns + [outcomeText] + [latencyText].compactMap(\.self))
      .joined(separator: "  ")
  }

  /// The command by hand and its outcome.
  var manualText: String {
    (["by hand", digits, outcomeText] + [latencyText].compactMap(\.self)).joined(separator: "  ")
  }
}

extension ServiceHeld {
  fileprivate var text: String {
    (["held"] + columns + [holds.joined(separator: ", ")]).joined(separator: "  ")
  }
}

extension ServiceFeed {
  fileprivate var text: String {
    let source = connection ?? "a feeder"
    return switch state {
    case "badLine": "\(source), line \(line ?? 0): \(reason ?? "can't be used")"
    case "refused": "a feeder was sent away: \(limit ?? 0) are connected already"
    case "stoodStill": PositionEvent.standstillText(seconds ?? 0)
    case "ended": "the positions have ended"
    default: "\(source) \(state)"
    }
  }
}
