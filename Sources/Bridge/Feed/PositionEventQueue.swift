package import CourtLogic

/// The events between the thread that reads feeders and the task that takes them, in bounded
/// memory and without ever blocking the reader.
///
/// Each connection has a lane of its own and loses its own oldest events when nobody takes them:
/// a feeder that floods can't push out another one's positions. Openings and closings are never
/// lost; a lane lives until its closing is taken, and their number bounds how many clients the
/// reader lets in.
package final class PositionEventQueue: Sendable {
  /// Positions and bad lines that a connection may have waiting: over 30 s of a camera's.
  package static let capacity = 1024

  /// Names a lane, for ever.
  package struct LaneID: Hashable, Sendable { fileprivate let number: Int }

  private struct Lane: Sendable {
    let id: LaneID
    let connection: String
    var opening: Int?
    var waiting = BoundedQueue<(order: Int, event: PositionEvent)>(
      capacity: PositionEventQueue.capacity
    )
    var closing: Int?

    /// The place in the order of events of this lane's first one.
    var first: Int? { opening ?? waiting.first?.order ?? closing }
  }

  private struct State: Sendable {
    var lanes: [Lane] = []
    var order = 0
    var nextLane = 0
    var statistics = PositionFeedStatistics()
    var refusal: PositionEvent?
    var end: PositionEvent?

    mutating func nextOrder() -> Int {
      order += 1
      return order
    }

    mutating func pop() -> PositionEvent? {
      if let event = refusal {
        refusal = nil
        return event
      }
      let firsts = lanes.indices.compactMap { index in
        lanes[index].first.map { (order: $0, index: index) }
      }
      guard let index = firsts.min(by: { $0.order < $1.order })?.index else {
        defer { end = nil }
        return lanes.isEmpty ? end : nil
      }
      if lanes[index].opening != nil {
        lanes[index].opening = nil
        return .opened(connection: lanes[index].connection)
      }
      if let waiting = lanes[index].waiting.popFirst() { return waiting.event }
      return .closed(connection: lanes.remove(at: index).connection)
    }
  }

  private let state = Locked(State())
  /// Holds one token while there may be something to take.
  private let news: AsyncStream<Void>
  private let announcer: AsyncStream<Void>.Continuation

  package init() {
    (news, announcer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package var statistics: PositionFeedStatistics { state.withLock { $0.statistics } }

  /// The connections that are open or whose last events wait.
  package var laneCount: Int { state.withLock { $0.lanes.count } }

  package func open(_ connection: String) -> LaneID {
    defer { announcer.yield() }
    return state.withLock { state in
      state.nextLane += 1
      let id = LaneID(number: state.nextLane)
      state.lanes.append(Lane(id: id, connection: connection, opening: state.nextOrder()))
      return id
    }
  }

  /// Adds what a read of the lane's connection gave.
  package func append(_ lines: [PositionLine], at instant: MonotonicInstant, to id: LaneID) {
    guard !lines.isEmpty else { return }
    state.withLock { state in
      guard let index = state.lanes.firstIndex(where: { $0.id == id }) else { return }
      let connection = state.lanes[index].connection
      for line in lines {
        let event: PositionEvent
        switch line {
        case .report(let report, _):
          state.statistics.positions += 1
          let source = SourceID(connection: connection, id: report.id)
          event = .position(report.position, from: source, at: instant)
        case .bad(let bad):
          state.statistics.badLines += 1
          event = .badLine(bad, connection: connection)
        }
        if state.lanes[index].waiting.append((state.nextOrder(), event)) {
          state.statistics.dropped += 1
        }
      }
    }
    announcer.yield()
  }

  package func close(_ id: LaneID) {
    state.withLock { state in
      guard let index = state.lanes.firstIndex(where: { $0.id == id }) else { return }
      state.lanes[index].closing = state.nextOrder()
    }
    announcer.yield()
  }

  package func refuse(limit: Int) {
    state.withLock { state in
      state.statistics.refusedClients += 1
      state.refusal = .clientRefused(limit: limit)
    }
    announcer.yield()
  }

  /// - Parameter ended: whether the source itself has ended, rather than we stopped reading it.
  package func finish(ended: Bool) {
    state.withLock { $0.end = ended ? .ended : nil }
    announcer.yield()
    announcer.finish()
  }
}

extension PositionEventQueue: AsyncSequence {
  /// For one task; events go to whoever asks first.
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
