import ControlProtocol
package import Host
import JSON
package import Programs
import Reports

/// Where a run reports its events.
package struct EventSink: Sendable {
  /// Whether to report also those changes of the link that don't matter to people.
  var takesEveryChange: Bool
  var write: @Sendable (EventReport) async throws -> Void
  /// Called after the last event.
  var finish: @Sendable () -> Void = {}

  /// Standard output, one line per event.
  ///
  /// - Parameter journal: gets a warning when a slow reader has missed events.
  package static func output(_ output: Output, journal: JournalLog? = nil) -> EventSink {
    let missed = MissedEvents { journal?.write("warning: \($0)", .warning) }
    return EventSink(
      takesEveryChange: output.style == .json,
      write: { report in
        if case .dropped(let count) = report.record.event {
          missed.add(count, at: report.record.t)
        }
        try await output.write(report)
      },
      finish: missed.finish
    )
  }

  /// The journal: the words as the message, the record's values as fields.
  static func journal(_ journal: JournalLog) -> EventSink {
    EventSink(takesEveryChange: false) { report in
      let fields = try JSONEncoding.scalars(of: report)
      journal.write(report.words, report.priority, fields: fields)
    }
  }
}

extension EventReport {
  /// How important the event is to a later reader of the log.
  var priority: JournalPriority {
    switch record.event {
    case .safety, .stop, .manual: .notice
    case .dropped: .warning
    case .link(let link): link.reason == nil ? .information : .warning
    case .dispatch(let dispatch):
      switch dispatch.outcome?.outcome {
      case "delivered", "queued", nil: .information
      default: .warning
      }
    case .answer(let answer):
      ["completed", "accepted"].contains(answer.answer) ? .information : .warning
    case .position: .debug
    case .feed(let feed):
      ["behindBaseline", "repeats", "hint"].contains(feed.state) ? .warning : .information
    case .training, .held, .other: .information
    }
  }
}
