import CourtLogic

/// Keeps at most so many positions a second of each source, evenly.
struct PositionThinner: Sendable {
  /// The sources that are known at a time. Their ids are strangers' words: when there are more,
  /// all begin anew.
  static let mostSources = 64

  private let interval: Duration
  private var due: [SourceID: MonotonicInstant] = [:]

  /// - Parameter positionsPerSecond: above zero.
  init(positionsPerSecond: Int) {
    interval = .seconds(1) / positionsPerSecond
  }

  /// Whether the position of this source at this instant stays.
  mutating func keeps(_ source: SourceID, at instant: MonotonicInstant) -> Bool {
    let planned = due[source] ?? instant
    guard planned <= instant else { return false }
    if due.count >= Self.mostSources, due[source] == nil { due = [:] }
    // On the grid while they come steadily, so that 24 a second give 8, not 6, when 8 are wanted.
    let next = planned.advanced(by: interval)
    due[source] = next > instant ? next : instant.advanced(by: interval)
    return true
  }
}
