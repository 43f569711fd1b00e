import Bridge
import FoundationEssentials
import MachineLink

/// Where a run tells what happens.
struct EventTeller: Sendable {
  /// Whether changes of the link that people would not see as one are told too.
  var tellsEverything: Bool
  var tell: @Sendable (EventReport) async throws -> Void

  /// Standard output, a line an event.
  static func output(_ output: Output) -> EventTeller {
    EventTeller(tellsEverything: output.style == .json) { try await output.write($0) }
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
    guard case .object(let members) = try JSONDecoder().decode(JSONValue.self, from: line) else {
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
