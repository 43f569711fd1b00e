import Bridge
import Host
import JSON
import MachineLink
import Positions
import Safety

/// Where a run reports its events.
struct EventTeller: Sendable {
  /// Whether to report also those changes of the link that don't matter to people.
  var tellsEverything: Bool
  var tell: @Sendable (EventReport) async throws -> Void
  /// Called after the last event.
  var finish: @Sendable () -> Void = {}

  /// Standard output, one line per event.
  ///
  /// - Parameter journal: gets a warning when a slow reader has missed events.
  static func output(_ output: Output, journal: JournalLog? = nil) -> EventTeller {
    let missed = MissedEvents { journal?.write("warning: \($0)", .warning) }
    return EventTeller(
      tellsEverything: output.style == .json,
      tell: { report in
        if case .dropped(let count) = report.record.event {
          missed.add(count, at: report.record.instant)
        }
        try await output.write(report)
      },
      finish: missed.finish
    )
  }

  /// The journal: the words as the message, the record's values as fields.
  static func journal(_ journal: JournalLog) -> EventTeller {
    EventTeller(tellsEverything: false) { report in
      journal.write(report.words.printable, report.priority, fields: try fields(of: report))
    }
  }

  /// The record's members that are strings, numbers or booleans.
  private static func fields(of report: EventReport) throws -> [String: String] {
    let line = try JSONEncoding.line(report)
    guard case .object(let members) = try JSONValue(text: line) else {
      return [:]
    }
    return members.compactMapValues { value in
      switch value {
      case .string(let text): text
      case .integer(let number): "\(number)"
      case .number(let number): "\(number)"
      case .boolean(let value): "\(value)"
      case .null, .array, .object: nil
      }
    }
  }
}

extension EventReport {
  /// How important the event is to a later reader of the log.
  var priority: JournalPriority {
    switch record.event {
    case .safety, .stopped, .manual: .notice
    case .dropped: .warning
    case .link(let status) where status.phase != .ready && status.fault != nil: .warning
    case .dispatched(let dispatch):
      switch dispatch.outcome {
      case .notSent, .unknown: .warning
      case .delivered, .queued, nil: .information
      }
    case .positions(.position): .debug
    case .link, .held, .positions: .information
    }
  }
}
