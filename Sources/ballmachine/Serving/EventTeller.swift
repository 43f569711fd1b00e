import Bridge
import FoundationEssentials
import MachineLink

/// Where a run tells what happens.
struct EventTeller: Sendable {
  /// Whether changes of the link that people would not see as one are told too.
  var tellsEverything: Bool
  var tell: @Sendable (EventReport) async throws -> Void
  /// Called when all is told.
  var finish: @Sendable () -> Void = {}

  /// Standard output, a line an event.
  ///
  /// - Parameter journal: is told, too, what a reader that was too slow has missed.
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

  /// What in a record is no list or object.
  private static func fields(of report: EventReport) throws -> [String: String] {
    let line = try RecordEncoding.line(report)
    guard case .object(let members) = try JSONValue(text: Array(line)) else {
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
  /// How much it matters to whoever reads a log afterwards.
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
