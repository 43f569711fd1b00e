package import Clocks
package import CourtLogic

/// Recorded or simulated positions, each at its own time, as if they were live.
package struct PacedPositions<Positions: Sequence & Sendable>: AsyncSequence, Sendable
where Positions.Element == TimedPosition {
  package typealias Element = PositionEvent
  package typealias Failure = Never

  private let positions: Positions
  private let source: SourceID
  private let clock: any MonotonicClock
  private let speed: Double
  private let beginning: @Sendable () async -> Void

  /// - Parameters:
  ///   - clock: stamps the positions.
  ///   - speed: how many times faster than in the recording the player moves.
  ///   - beginning: returns when the first position may come.
  package init(
    _ positions: Positions,
    from source: SourceID,
    clock: any MonotonicClock,
    speed: Double = 1,
    after beginning: @escaping @Sendable () async -> Void = {}
  ) {
    self.positions = positions
    self.source = source
    self.clock = clock
    self.speed = speed
    self.beginning = beginning
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(positions: positions.makeIterator(), of: self)
  }

  package struct Iterator: AsyncIteratorProtocol {
    private var positions: Positions.Iterator
    private let sequence: PacedPositions
    /// The first position comes at once; all others count from there.
    private var start: MonotonicInstant?
    private var hasEnded = false

    fileprivate init(positions: Positions.Iterator, of sequence: PacedPositions) {
      self.positions = positions
      self.sequence = sequence
    }

    /// Nil after ``PositionEvent/ended``, and when the task is cancelled.
    package mutating func next() async -> PositionEvent? {
      guard !hasEnded else { return nil }
      guard let timed = positions.next() else {
        hasEnded = true
        return .ended
      }
      let clock = sequence.clock
      if start == nil { await sequence.beginning() }
      let start = start ?? clock.now
      self.start = start
      do {
        try await clock.sleep(
          until: start.advanced(by: timed.offset / sequence.speed),
          tolerance: nil
        )
      } catch {
        hasEnded = true
        return nil
      }
      return .position(timed.position, from: sequence.source, at: clock.now)
    }
  }
}
