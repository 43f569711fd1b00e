import CourtLogic

/// Keeps at most one position of each source in so long, evenly.
struct PositionThinner: Sendable {
  /// The sources that are known at a time. Their ids are strangers' words: when there are more,
  /// all begin anew.
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
    // On the grid while they come steadily, so that of 24 a second 10 stay, not 8, when one in
    // 0.1 s is wanted.
    let next = planned.advanced(by: interval)
    due[source] = next > instant ? next : instant.advanced(by: interval)
    return true
  }
}
