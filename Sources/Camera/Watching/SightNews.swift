import Clocks

/// What the camera sees, and whether that is news.
struct SightNews {
  /// A state counts once it has lasted so long: a player who is lost for a frame is no news.
  private static let age = Duration.milliseconds(500)

  private(set) var sight: SightRecord
  private var next: (record: SightRecord, since: MonotonicInstant)?

  init(_ sight: SightRecord) {
    self.sight = sight
  }

  /// - Parameter time: the frame's; nil: the record counts at once.
  /// - Returns: whether it is news.
  mutating func receive(_ record: SightRecord, at time: MonotonicInstant?) -> Bool {
    // Numbers in the reason may change with each frame.
    let isNews = !record.isLike(sight)
    if isNews, let time {
      let since = next.map { record.isLike($0.record) ? $0.since : time } ?? time
      next = (record, since)
      guard since.duration(to: time) >= Self.age else { return false }
    }
    sight = record
    next = nil
    return isNews
  }
}

extension SightRecord {
  fileprivate func isLike(_ other: SightRecord) -> Bool {
    (state, code) == (other.state, other.code)
  }
}
