package import ControlProtocol
import Host
package import JSON
import Programs

/// An event of the service: its record for machines, a line for people.
package struct EventReport: Report {
  package var record: EventRecord
  /// The beginning of the line: the time.
  private var stamp: String
  /// The record as another program has sent it, which may know more of it.
  private var original: JSONValue?

  /// - Parameter start: the run's, in seconds on the service's clock: lines begin with the seconds
  ///   since then.
  package init(_ record: EventRecord, since start: Double) {
    self.record = record
    stamp = rightAligned(max(0, record.t - start).fixed(3), to: 9)
  }

  /// An event of another program; lines begin with the time of day.
  ///
  /// - Returns: nil for a record that this program doesn't understand.
  package init?(_ original: JSONValue) {
    guard let record = try? original.decoded(as: EventRecord.self) else { return nil }
    self.record = record
    self.original = original
    stamp = record.time.local
  }

  package var text: String { "\(stamp)  \(words)" }

  /// The text without the time.
  package var words: String {
    switch record.event {
    case .link: "link  \(linkText?.text ?? "")"
    case .safety(let safety): "safety  \(safety.text)"
    case .training(let training): "training  \(training.text)"
    case .dispatch(let dispatch): dispatch.text
    case .held(let held): held.text
    case .manual(let dispatch): dispatch.text
    case .answer(let answer): answer.text
    case .stop(let stop): "stop  \(stop.reason)"
    case .feed(let feed): "feed  \(feed.words)"
    case .position(let position): "position  \(position.connection): \(position.x) \(position.y)"
    case .dropped(let count): "dropped  \(counted(count, "event")): the reader is too slow"
    case .other(let name): name
    }
  }

  /// What the event says of the link, if it is about the link.
  var linkText: LinkText? {
    guard case .link(let link) = record.event else { return nil }
    return LinkText(link, now: record.t, time: record.time)
  }

  package func encode(to encoder: any Encoder) throws {
    if let original { try original.encode(to: encoder) } else { try record.encode(to: encoder) }
  }
}

/// Which events people get: what they would see as a change. A new signal strength is none, and each
/// ball of a drill has a line of its own.
package struct VisibleChanges {
  private var link: String?
  private var training = TrainingRecord(aim: "follow", interval: 0).summary

  package init() {}

  /// - Returns: whether people get it.
  package mutating func receive(_ report: EventReport) -> Bool {
    if let new = report.linkText?.summary {
      defer { link = new }
      return new != link
    }
    if case .training(let record) = report.record.event {
      defer { training = record.summary }
      return record.summary != training
    }
    return true
  }
}

extension FeedRecord {
  fileprivate var words: String {
    let source = connection ?? "a feeder"
    return switch state {
    case "badLine":
      (count.map { "\(counted($0, "line")) refused, the last: " } ?? "")
        + lineText(source, line, text, reason)
    case "refused": "a feeder was sent away: \(limit ?? 0) are connected already"
    case "stoodStill":
      "the service stood still for \((seconds ?? 0).fixed(1)) s: positions from that time are not used"
    case "behindBaseline":
      "\(source): a position behind the baseline counts as out of court; to count it for the nearest"
        + " zone, set court.apron or --apron, for example to 3"
    case "repeats":
      "\(source): the same position for a minute: look whether the detector still works, unless the"
        + " player stands still"
    case "hint": "\(source): \((reason ?? "").printable)"
    case "ended": "the positions have ended"
    default: "\(source) \(state)"
    }
  }
}

/// A line of positions that can't be used, with its feeder and the reason.
func lineText(_ source: String, _ line: Int?, _ text: String?, _ reason: String?) -> String {
  let quote = text.map { " “\($0.printable)”" } ?? ""
  return "\(source), line \(line ?? 0)\(quote): \((reason ?? "can't be used").printable)"
}
