package import Positions

/// A track's positions in time, repeated when the track is shorter than wanted.
package struct TrackPlayer: Sequence, Sendable {
  /// Positions after this offset don't come; nil plays the track once.
  package let duration: Duration?
  private let positions: [TimedPosition]
  /// From the first position of one round to that of the next.
  private let period: Duration

  package init(_ track: Track, duration: Duration? = nil) {
    self.duration = duration
    positions = track.positions
    period = (positions.last?.offset ?? .zero) + Self.gap(positions)
  }

  package func makeIterator() -> Iterator {
    Iterator(positions: positions, period: period, duration: duration)
  }

  package struct Iterator: IteratorProtocol {
    fileprivate let positions: [TimedPosition]
    fileprivate let period: Duration
    fileprivate let duration: Duration?
    private var index = 0
    private var round = Duration.zero

    fileprivate init(positions: [TimedPosition], period: Duration, duration: Duration?) {
      self.positions = positions
      self.period = period
      self.duration = duration
    }

    package mutating func next() -> TimedPosition? {
      if index == positions.count {
        guard duration != nil, !positions.isEmpty else { return nil }
        index = 0
        round += period
      }
      guard index < positions.count else { return nil }
      let offset = round + positions[index].offset
      if let duration, offset > duration { return nil }
      defer { index += 1 }
      return TimedPosition(offset: offset, position: positions[index].position)
    }
  }

  /// Between the last position and the first of the next round: the track's mean interval, within
  /// what still counts as a steady stream (a silence of more than 1 s would start a new grid).
  private static func gap(_ positions: [TimedPosition]) -> Duration {
    let steady = Duration.milliseconds(10)...Duration.milliseconds(500)
    guard positions.count > 1, let last = positions.last else { return steady.upperBound }
    let mean = last.offset / (positions.count - 1)
    return Swift.min(Swift.max(mean, steady.lowerBound), steady.upperBound)
  }
}
