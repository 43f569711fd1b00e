package import Fleet
import Host

extension MQTTConnection.Event {
  /// The number of a publication that the broker has, whether anyone is subscribed to it or not.
  package var arrival: Int? { if case .published(let number, _) = self { number } else { nil } }
}

/// A connection that runs, and what comes of it.
package final class Party: Sendable {
  package let connection: MQTTConnection
  private let name: String
  private let events: AsyncStream<MQTTConnection.Event>
  /// Events that came while something else was awaited.
  private let skipped = Locked<[MQTTConnection.Event]>([])
  private let running: Task<MQTTFailure?, Never>

  package init(
    _ name: String,
    at broker: BrokerSettings,
    will: MQTTMessage? = nil,
    keepalive: Int = 15,
    timeToAnswer: Duration = .seconds(60),
    chooser: AddressChooser = AddressChooser(),
    memory: BrokerMemory = BrokerMemory()
  ) {
    let connection = MQTTConnection(
      to: broker,
      client: name,
      will: will,
      keepalive: keepalive,
      timeToAnswer: timeToAnswer,
      chooser: chooser,
      memory: memory,
      on: LoopExecutor()
    )
    let (events, continuation) = AsyncStream<MQTTConnection.Event>.makeStream()
    self.connection = connection
    self.name = name
    self.events = events
    running = Task {
      defer { continuation.finish() }
      do throws(MQTTFailure) {
        try await connection.run { continuation.yield($0) }
        return nil
      } catch {
        return error
      }
    }
  }

  deinit { running.cancel() }

  /// The next one; nil after the end.
  package func next() async -> MQTTConnection.Event? {
    let waiting = skipped.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    if let waiting { return waiting }
    for await event in events { return event }
    return nil
  }

  /// Why it has ended; nil after a cancellation.
  package func end() async -> MQTTFailure? { await running.value }

  package func cancel() { running.cancel() }

  /// Whether it is connected, and has the topics if there are any.
  package func isReady(_ topics: String...) async -> Bool {
    var event = await next()
    if case .connected = event {
      guard !topics.isEmpty else { return true }
      await connection.subscribe(topics)
      event = await next()
      if case .subscribed = event { return true }
    }
    // A test says only that it isn't ready.
    let reason: any Sendable = if let event { event } else { await end() as any Sendable }
    print("the party \(name) is not ready: \(reason)")
    return false
  }

  /// Publishes it, and waits until the broker has it.
  package func say(_ message: MQTTMessage) async {
    guard let number = await connection.publish(message) else { return }
    for await event in events {
      if event.arrival == number { return }
      skipped.withLock { $0.append(event) }
    }
  }

  /// Waits for a message on this topic, and returns its text; nil after the end.
  package func hears(
    _ topic: String,
    where fits: (String) -> Bool = { _ in true }
  ) async -> String? {
    while let event = await next() {
      guard case .message(let message) = event, message.topic == topic else { continue }
      let text = String(decoding: message.payload, as: UTF8.self)
      if fits(text) { return text }
    }
    return nil
  }

  /// Waits until there was a message on each of these topics, in any order.
  package func hearsAll(_ topics: Set<String>) async -> Bool {
    var missing = topics
    while !missing.isEmpty, let event = await next() {
      if case .message(let message) = event { missing.remove(message.topic) }
    }
    return missing.isEmpty
  }
}
