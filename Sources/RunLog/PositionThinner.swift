import Clocks
import CourtLogic

/// Keeps at most one position of each source in an interval, evenly.
struct PositionThinner: Sendable {
  /// The sources that are known at a time. Feeders choose the ids, so there may be more: then all
  /// start again.
  static let mostSources = 64

  /// Zero: everything stays.
  let interval: Duration
  private var due: [SourceID: MonotonicInstant] = [:]

  init(interval: Duration) {
    self.interval = interval
  }

  /// Whether the position of this source at this instant stays.
  mutating func keeps(_ source: SourceID, at instant: MonotonicInstant) -> Bool {
    guard interval > .zero else { return true }
    let planned = due[source] ?? instant
    guard planned <= instant else { return false }
    if due.count >= Self.mostSources, due[source] == nil { due = [:] }
    // On the grid while positions come steadily: with an interval of 0.1 s, 10 of 24 a second
    // stay, not 8.
    let next = planned.advanced(by: interval)
    due[source] = next > instant ? next : instant.advanced(by: interval)
    return true
  }
}
