/// Whoever follows the bridge: each has a buffer of its own, which drops its oldest events.
struct BridgeSubscribers {
  private var streams: [Int: AsyncStream<BridgeEvent>.Continuation] = [:]
  private var lastNumber = 0
  private var hasEnded = false

  /// - Parameters:
  ///   - present: what the subscriber is told first.
  ///   - cancelled: is told the subscriber's number when it reads no more.
  mutating func add(
    backlog: Int,
    present: [BridgeEvent] = [],
    cancelled: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> AsyncStream<BridgeEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: BridgeEvent.self,
      bufferingPolicy: .bufferingNewest(backlog)
    )
    for event in present { continuation.yield(event) }
    if hasEnded {
      continuation.finish()
      return stream
    }
    lastNumber += 1
    let number = lastNumber
    streams[number] = continuation
    continuation.onTermination = { reason in if case .cancelled = reason { cancelled(number) } }
    return stream
  }

  mutating func remove(_ number: Int) {
    streams[number] = nil
  }

  func tell(_ event: BridgeEvent) {
    for stream in streams.values { stream.yield(event) }
  }

  mutating func end() {
    hasEnded = true
    for stream in streams.values { stream.finish() }
    streams = [:]
  }
}
