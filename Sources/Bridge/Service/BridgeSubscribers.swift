package import ControlProtocol

/// What happens in the bridge, for one reader.
package typealias BridgeEvents = EventStream<BridgeEvent>

/// Readers of the bridge's events; each has room of its own, see ``EventLanes``.
struct BridgeSubscribers {
  private var buffers: [Int: EventBuffer<BridgeEvent>] = [:]
  private var lastNumber = 0
  private var hasEnded = false

  /// - Parameters:
  ///   - room: how many events of a kind may wait for the subscriber.
  ///   - present: the events that the subscriber gets first.
  ///   - released: called with the subscriber's number when it reads no more.
  mutating func add(
    room: (EventKind) -> Int = \.room,
    present: [BridgeEvent] = [],
    released: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> BridgeEvents {
    let buffer = EventBuffer(room: room, dropped: BridgeEvent.dropped)
    for event in present { buffer.append(event, event.kind) }
    if hasEnded {
      buffer.finish()
      return BridgeEvents(buffer)
    }
    lastNumber += 1
    buffers[lastNumber] = buffer
    return BridgeEvents(buffer) { [lastNumber] in released(lastNumber) }
  }

  mutating func remove(_ number: Int) {
    buffers[number] = nil
  }

  func publish(_ event: BridgeEvent) {
    for buffer in buffers.values { buffer.append(event, event.kind) }
  }

  mutating func end() {
    hasEnded = true
    for buffer in buffers.values { buffer.finish() }
    buffers = [:]
  }
}
