package import CourtLogic

/// Recorded or made-up positions, each at its own time, as if they were live.
package struct PacedPositions<Positions: Sequence & Sendable>: AsyncSequence, Sendable
where Positions.Element == TimedPosition {
  package typealias Element = PositionEvent
  package typealias Failure = Never

  private let positions: Positions
  private let source: SourceID
  private let clock: any MonotonicClock

  /// - Parameter clock: its speed is that of the player.
  package init(_ positions: Positions, from source: SourceID, clock: any MonotonicClock) {
    self.positions = positions
    self.source = source
    self.clock = clock
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(positions: positions.makeIterator(), source: source, clock: clock)
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate var positions: Positions.Iterator
    fileprivate let source: SourceID
    fileprivate let clock: any MonotonicClock
    /// The first position comes at once; all others count from there.
    private var start: MonotonicInstant?
    private var hasEnded = false

    fileprivate init(
      positions: Positions.Iterator,
      source: SourceID,
      clock: any MonotonicClock
    ) {
      self.positions = positions
      self.source = source
      self.clock = clock
    }

    /// Nil after ``PositionEvent/ended``, and when the task is cancelled.
    package mutating func next() async -> PositionEvent? {
      guard !hasEnded else { return nil }
      guard let timed = positions.next() else {
        hasEnded = true
        return .ended
      }
      let start = start ?? clock.now
      self.start = start
      do {
        try await clock.sleep(until: start.advanced(by: timed.offset), tolerance: nil)
      } catch {
        hasEnded = true
        return nil
      }
      return .position(timed.position, from: source, at: clock.now)
    }
  }
}
