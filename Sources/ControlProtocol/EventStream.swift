import Host

/// Events for one reader, queued in ``EventLanes``. A slow reader gets the number of lost events
/// before the next event.
package final class EventStream<Event: Sendable>: AsyncSequence, Sendable {
  fileprivate let buffer: EventBuffer<Event>
  private let released: @Sendable () -> Void

  /// - Parameter released: called when the reader is gone.
  package init(_ buffer: EventBuffer<Event>, released: @escaping @Sendable () -> Void = {}) {
    self.buffer = buffer
    self.released = released
  }

  deinit { released() }

  /// For one task.
  package func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

  package struct Iterator: AsyncIteratorProtocol {
    private let stream: EventStream
    private var news: AsyncStream<Void>.Iterator

    fileprivate init(stream: EventStream) {
      self.stream = stream
      news = stream.buffer.news.makeAsyncIterator()
    }

    package mutating func next() async -> Event? { await next(isolation: #isolation) }

    package mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
      while true {
        if let event = stream.buffer.pop() { return event }
        guard await news.next(isolation: actor) != nil else { return stream.buffer.pop() }
      }
    }
  }
}

/// The writing end of an ``EventStream``.
package final class EventBuffer<Event: Sendable>: Sendable {
  private let lanes: Locked<EventLanes<Event>>
  private let dropped: @Sendable (Int) -> Event
  /// Holds one token while there may be something to take.
  fileprivate let news: AsyncStream<Void>
  private let announcer: AsyncStream<Void>.Continuation

  /// - Parameters:
  ///   - room: how many events of a kind may wait.
  ///   - dropped: makes the event that reports the number of lost events.
  package init(
    room: (EventKind) -> Int = \.room,
    dropped: @escaping @Sendable (Int) -> Event
  ) {
    lanes = Locked(EventLanes(room: room))
    self.dropped = dropped
    (news, announcer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package func append(_ event: Event, _ kind: EventKind) {
    lanes.withLock { $0.append(event, kind) }
    announcer.yield()
  }

  /// Counts events that were lost before they came here.
  package func miss(_ count: Int) {
    lanes.withLock { $0.miss(count) }
    announcer.yield()
  }

  /// The reader gets the waiting events, and then the end.
  package func finish() { announcer.finish() }

  fileprivate func pop() -> Event? {
    lanes.withLock { lanes in
      let lost = lanes.takeLost()
      return lost > 0 ? dropped(lost) : lanes.popFirst()
    }
  }
}
