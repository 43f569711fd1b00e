package import Clocks
import CourtLogic
import Glibc
import Host

/// The events between the reader of feeders and the task that takes them, in bounded memory and
/// without ever blocking the reader.
///
/// A feeder that floods loses its own oldest positions, never another feeder's; see
/// ``PositionEventLine``.
package final class PositionEventQueue: Sendable {
  /// Identifies a connection's events; never used again.
  package struct LaneID: Hashable, Sendable { fileprivate let id: PositionEventLine.ConnectionID }

  private struct State: Sendable {
    var line = PositionEventLine()
    var statistics = PositionFeedStatistics()
    /// Of the open connections.
    var figures: [LaneID: FeederFigures] = [:]
    var refusal: PositionEvent?
    var standstill: PositionEvent?
    var end: PositionEvent?

    mutating func drop(_ lines: Int, of lane: LaneID) {
      statistics.dropped += lines
      figures[lane]?.dropped += lines
    }

    mutating func pop() -> PositionEvent? {
      if let event = refusal {
        refusal = nil
        return event
      }
      if let event = standstill {
        standstill = nil
        return event
      }
      if let event = line.popFirst() { return event }
      defer { end = nil }
      return end
    }
  }

  private let state = Locked(State())
  /// Holds one token while there may be something to take.
  private let news: AsyncStream<Void>
  private let announcer: AsyncStream<Void>.Continuation
  private let wallTime: @Sendable () -> Duration

  /// - Parameter wallTime: the time since 1970, with which sources' timestamps are compared.
  package init(
    wallTime: @escaping @Sendable () -> Duration = { .nanoseconds(nanoseconds(on: CLOCK_REALTIME)) }
  ) {
    self.wallTime = wallTime
    (news, announcer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package var statistics: PositionFeedStatistics { state.withLock { $0.statistics } }

  /// What each open connection has sent, in the order of their opening.
  package var figures: [FeederFigures] {
    state.withLock { $0.figures }.sorted { $0.key.id.number < $1.key.id.number }.map(\.value)
  }

  /// How many connections are open or have waiting events.
  package var laneCount: Int { state.withLock { $0.line.connectionCount } }

  package func open(_ connection: String) -> LaneID {
    defer { announcer.yield() }
    return state.withLock { state in
      let lane = LaneID(id: state.line.open(connection))
      state.figures[lane] = FeederFigures(connection)
      return lane
    }
  }

  /// Adds the lines of one read of the lane's connection.
  package func append(_ lines: [PositionLine], at instant: MonotonicInstant, to lane: LaneID) {
    guard !lines.isEmpty else { return }
    let wallTime = wallTime()
    state.withLock { state in
      guard let connection = state.line.name(of: lane.id) else { return }
      for line in lines {
        let event: PositionEvent
        switch line {
        case .report(let report, _):
          state.statistics.positions += 1
          state.figures[lane]?.receive(report, at: instant, wallTime: wallTime)
          let source = SourceID(connection: connection, id: report.id)
          event = .position(report.position, from: source, at: instant, report.source)
        case .bad(let bad):
          state.statistics.badLines += 1
          state.figures[lane]?.receive(bad, at: instant)
          event = .badLine(bad, connection: connection)
        case .hint(let hint, _):
          event = .hint(hint, connection: connection)
        case .wantsReplies: continue
        }
        state.drop(state.line.append(event, to: lane.id), of: lane)
      }
    }
    announcer.yield()
  }

  package func close(_ lane: LaneID) {
    state.withLock { state in
      state.line.close(lane.id)
      state.figures[lane] = nil
    }
    announcer.yield()
  }

  /// Reports that the process stood still.
  package func standStill(for duration: Duration) {
    state.withLock { $0.standstill = .stoodStill(duration) }
    announcer.yield()
  }

  /// Counts lines of the lane's connection that came while the process stood still.
  package func drop(_ lines: Int, of lane: LaneID) { state.withLock { $0.drop(lines, of: lane) } }

  package func refuse(limit: Int) {
    state.withLock { state in
      state.statistics.refusedClients += 1
      state.refusal = .clientRefused(limit: limit)
    }
    announcer.yield()
  }

  /// - Parameter ended: true if the source itself has ended, false if we stopped reading.
  package func finish(ended: Bool) {
    state.withLock { $0.end = ended ? .ended : nil }
    announcer.yield()
    announcer.finish()
  }
}

extension PositionEventQueue: AsyncSequence {
  /// For one task: each event is delivered once.
  package func makeAsyncIterator() -> Iterator {
    Iterator(queue: self, news: news.makeAsyncIterator())
  }

  package struct Iterator: AsyncIteratorProtocol {
    private let queue: PositionEventQueue
    private var news: AsyncStream<Void>.Iterator

    fileprivate init(queue: PositionEventQueue, news: AsyncStream<Void>.Iterator) {
      self.queue = queue
      self.news = news
    }

    package mutating func next() async -> PositionEvent? {
      await next(isolation: #isolation)
    }

    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> PositionEvent? {
      while true {
        if let event = queue.state.withLock({ $0.pop() }) { return event }
        guard await news.next(isolation: actor) != nil else {
          return queue.state.withLock { $0.pop() }
        }
      }
    }
  }
}
