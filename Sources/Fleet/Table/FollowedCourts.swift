import Clocks
import Host

/// The courts of a broker, from connection to connection. It subscribes, and publishes nothing.
package final class FollowedCourts: Sendable {
  /// So long without a message that the broker has kept: the last one has come.
  private static let silence = Duration.milliseconds(500)
  /// Courts in play may never be silent.
  private static let mostSilences = 10
  /// The topics that are asked for at once, where the broker's packets have room.
  private static let mostTopics = 56
  /// The longest one in a packet, in bytes, with its share of the packet's own.
  private static let longestTopic = 64

  private struct State: Sendable {
    var table = CourtTable()
    /// Messages that the broker had kept, of all connections.
    var kept = 0
    /// Which connection it is.
    var number = 0
    /// When the broker has answered it.
    var answered: ContinuousClock.Instant?
    /// The last question for what all courts say, and how many other ones have no answer.
    var first: Int?
    var open = 0
    /// The courts that it has asked for by name.
    var asked: Set<String> = []
    /// How many topics it asks for at once.
    var portion = 1
  }

  private let broker: BrokerSettings
  private let memory = BrokerMemory()
  private let executor = LoopExecutor.ofProgram()
  private let state = Locked(State())

  package init(_ broker: BrokerSettings) { self.broker = broker }

  /// The table at this moment.
  package var table: CourtTable { state.withLock(\.table) }

  /// Connects, again and again, until the task is cancelled.
  package func run() async {
    var backOff = BrokerBackOff()
    var generator = SystemRandomNumberGenerator()
    while !Task.isCancelled {
      state.withLock { $0.answered = nil }
      let begin = ContinuousClock.now
      var failure: MQTTFailure?
      do throws(MQTTFailure) { try await connect() } catch {
        failure = error
        state.withLock { $0.table.lost(error, at: WallTime()) }
      }
      backOff.ended(after: state.withLock(\.answered)?.duration(to: .now))
      let time = begin.duration(to: .now)
      let wait = backOff.next(after: failure?.code, lasting: time, using: &generator)
      try? await SystemClock().sleep(for: wait)
    }
  }

  /// The courts that the broker has kept.
  ///
  /// - Throws: ``MQTTFailure``, and `CancellationError`.
  package func once() async throws -> CourtTable {
    try await firstAnswer { answer in try await self.connect { answer.give(.success($0)) } }
  }

  /// One connection.
  ///
  /// - Parameter filled: called when all has come in that the broker had kept.
  private func connect(
    filled: @escaping @Sendable (CourtTable) -> Void = { _ in }
  ) async throws(MQTTFailure) {
    let connection = MQTTConnection(visiting: broker, for: "table", memory: memory, on: executor)
    try await connection.run { [self] event in
      connection.assumeIsolated { receive(event, $0, filled) }
    }
  }

  private func receive(
    _ event: MQTTConnection.Event,
    _ connection: isolated MQTTConnection,
    _ filled: @escaping @Sendable (CourtTable) -> Void
  ) {
    switch event {
    case .connected(let grants): begin(on: connection, grants)
    case .subscribed(let request):
      let (number, kept, isFirst) = state.withLock { state in
        if request != state.first { state.open -= 1 }
        return (state.number, state.kept, request == state.first)
      }
      if isFirst { awaitSilence(Self.mostSilences, number, kept: kept, filled) }
    // The index, or a court that it names.
    case .refused: state.withLock { $0.open -= 1 }
    case .message(let message):
      let (courts, portion) = state.withLock { state -> ([String], Int) in
        if message.isRetained { state.kept += 1 }
        state.table.receive(message, at: WallTime())
        guard message.topic == CourtIndex.topic else { return ([], 1) }
        let index = CourtIndex(payload: message.payload)
        let room = CourtTable.mostCourts - state.asked.count
        let new = state.table.missing(of: index).filter { !state.asked.contains($0) }.prefix(room)
        state.asked.formUnion(new)
        return (Array(new), state.portion)
      }
      for topics in courts.flatMap(CourtTable.topics).portions(of: portion) {
        ask(topics, on: connection)
      }
    case .published: break
    }
  }

  private func begin(on connection: isolated MQTTConnection, _ grants: MQTTGrants) {
    let portion = Self.portion(within: grants)
    let questions = CourtTable.topics.portions(of: portion)
      .compactMap { connection.subscribe($0) }
    state.withLock {
      $0.number += 1
      $0.answered = .now
      ($0.first, $0.open) = (questions.last, max(0, questions.count - 1))
      ($0.asked, $0.portion) = ([], portion)
      $0.table.connected(keepsMessages: grants.keepsMessages)
    }
    ask([CourtIndex.topic], on: connection)
  }

  private static func portion(within grants: MQTTGrants) -> Int {
    guard let longest = grants.longest else { return mostTopics }
    return min(max(1, longest / longestTopic), mostTopics)
  }

  private func ask(_ topics: [String], on connection: isolated MQTTConnection) {
    if connection.trySubscribing(topics) != nil { state.withLock { $0.open += 1 } }
  }

  /// Looks from time to time whether messages that the broker has kept still come in.
  private func awaitSilence(
    _ left: Int,
    _ number: Int,
    kept: Int,
    _ filled: @escaping @Sendable (CourtTable) -> Void
  ) {
    executor.perform(after: Self.silence) { [self] in
      let (next, table) = state.withLock { state -> (kept: Int?, table: CourtTable?) in
        guard state.number == number, state.table.broker == .filling else { return (nil, nil) }
        let isSilent = state.kept == kept && state.open == 0
        guard isSilent || left == 1 else { return (state.kept, nil) }
        state.table.filled()
        return (nil, state.table)
      }
      if let table { filled(table) }
      if let next { awaitSilence(left - 1, number, kept: next, filled) }
    }
  }
}

extension [String] {
  fileprivate func portions(of size: Int) -> [[String]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
