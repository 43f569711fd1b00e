import Fleet
import Host

/// A short connection to a broker: looks at what it keeps, and may leave something there.
struct BrokerVisit {
  /// The longest visit, with the connection's own limit. `ballmachine doctor` waits longer.
  static let timeout = Duration.seconds(12)

  private struct State: Sendable {
    var kept: [String: MQTTMessage] = [:]
    /// The next of the ``rounds``.
    var round = 0
    /// What the broker has not acknowledged.
    var isOpen: Set<Int> = []
  }

  let broker: BrokerSettings
  /// What the visit is for; it stands in the client's name.
  let purpose: String
  /// The topics to read, without wildcards, so that little comes.
  let topics: [String]
  /// More of them, of which the broker may refuse one.
  var others: [String] = []
  /// Of the program's visits to this broker.
  var memory = BrokerMemory()

  /// - Parameter leave: what to publish, after what the broker keeps of the topics.
  /// - Returns: what it keeps of the topics.
  /// - Throws: ``MQTTFailure``, what `leave` throws, and `CancellationError`.
  func make(
    leave: @escaping @Sendable ([String: MQTTMessage]) throws -> [MQTTMessage] = { _ in [] }
  ) async throws -> [String: MQTTMessage] {
    let connection = MQTTConnection(
      visiting: broker,
      for: purpose,
      memory: memory,
      on: .ofProgram()
    )
    do {
      return try await firstAnswer(atMost: Self.timeout) { answer in
        let state = Locked(State())
        try await connection.run { event in
          connection.assumeIsolated { receive(event, $0, state, answer, leave) }
        }
      }
    } catch is TimeoutError {
      let seconds = Self.timeout.components.seconds
      throw MQTTFailure(.silent, "the broker has not answered within \(seconds) s")
    }
  }

  /// What is asked for, one after the other: packets may have to be short. A broker answers in order: what it
  /// keeps has come before the answer to the last one.
  private var rounds: [String] { topics + others + topics.prefix(1) }

  private func goOn(
    _ connection: isolated MQTTConnection,
    _ state: Locked<State>,
    _ answer: FirstAnswer<[String: MQTTMessage]>,
    _ leave: ([String: MQTTMessage]) throws -> [MQTTMessage]
  ) {
    let (round, kept) = state.withLock { state in
      defer { state.round += 1 }
      return (state.round, state.kept)
    }
    if round < rounds.count {
      let topic = rounds[round]
      if others.contains(topic) {
        connection.trySubscribing([topic])
      } else {
        connection.subscribe([topic])
      }
      return
    }
    do {
      let numbers = try leave(kept).map { connection.publish($0) }
      // The connection's end says why.
      guard !numbers.contains(nil) else { return }
      state.withLock { $0.isOpen.formUnion(numbers.compactMap(\.self)) }
      if numbers.isEmpty { answer.give(.success(kept)) }
    } catch { answer.give(.failure(error)) }
  }

  private func receive(
    _ event: MQTTConnection.Event,
    _ connection: isolated MQTTConnection,
    _ state: Locked<State>,
    _ answer: FirstAnswer<[String: MQTTMessage]>,
    _ leave: ([String: MQTTMessage]) throws -> [MQTTMessage]
  ) {
    switch event {
    case .connected, .subscribed: goOn(connection, state, answer, leave)
    case .message(let message):
      guard message.isRetained, (topics + others).contains(message.topic) else { return }
      state.withLock { $0.kept[message.topic] = message }
    case .refused(let number, let reason):
      guard state.withLock({ $0.isOpen.contains(number) }) else {
        return goOn(connection, state, answer, leave)
      }
      answer.give(.failure(MQTTFailure(.forbidden, reason)))
    case .published(let number, _):
      let isOver = state.withLock { $0.isOpen.remove(number) != nil && $0.isOpen.isEmpty }
      if isOver { answer.give(.success(state.withLock(\.kept))) }
    }
  }
}
