import Clocks
import Host

/// The courts of a broker, from connection to connection. It subscribes, and publishes nothing.
package final class FollowedCourts: Sendable {
  /// So long without a message that the broker has kept: the last one has come.
  private static let silence = Duration.milliseconds(500)
  /// Courts in play may never be silent.
  private static let mostSilences = 10

  private struct State: Sendable {
    var table = CourtTable()
    /// Messages that the broker had kept, of all connections.
    var kept = 0
    /// Which connection it is.
    var number = 0
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
      let connections = state.withLock(\.number)
      let begin = ContinuousClock.now
      var failure: MQTTFailure?
      do throws(MQTTFailure) { try await connect() } catch {
        failure = error
        state.withLock { $0.table.lost(error, at: WallTime()) }
      }
      if state.withLock(\.number) != connections { backOff.reset() }
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
      switch event {
      case .connected:
        state.withLock {
          $0.number += 1
          $0.table.connected()
        }
        connection.assumeIsolated { $0.subscribe(CourtTable.topics) }
      case .subscribed:
        let (number, kept) = state.withLock { ($0.number, $0.kept) }
        awaitSilence(Self.mostSilences, number, kept: kept, filled)
      case .message(let message):
        state.withLock {
          if message.isRetained { $0.kept += 1 }
          $0.table.receive(message, at: WallTime())
        }
      case .published, .refused: break
      }
    }
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
        guard state.kept == kept || left == 1 else { return (state.kept, nil) }
        state.table.filled()
        return (nil, state.table)
      }
      if let table { filled(table) }
      if let next { awaitSilence(left - 1, number, kept: next, filled) }
    }
  }
}
