package import BlueZ
package import Clocks

/// How an operation ended.
///
/// - `levels`: after the answer.
/// - `error`: nil if it succeeded.
/// - `receipt`: of the answer to a write, counted with those of notifications.
package typealias OperationAnswer = (levels: BlueZState?, error: BlueZError?, receipt: UInt64)

/// What carries out the link's operations: BlueZ, or a fake of it in a test.
package protocol MachineCentral: Sendable {
  /// The link lives there, too: no thread lies between the two.
  var unownedExecutor: UnownedSerialExecutor { get }

  /// BlueZ's levels as they change. Only the newest is kept for a reader that is behind: levels
  /// need no history.
  var levels: AsyncStream<BlueZState> { get }

  /// What the machine notifies, each value once and in order; of very many only the newest.
  var notifications: AsyncStream<(bytes: [UInt8], receipt: UInt64)> { get }

  /// Works until ``close()``.
  func run() async

  /// Carries out one operation and waits for its answer, however long it takes. Cancelling the
  /// task gives the wait up, not the operation.
  func perform(_ operation: LinkOperation) async -> OperationAnswer

  func close() async
}

extension MachineCentral {
  /// The notifications of a machine that says nothing: none.
  package var notifications: AsyncStream<(bytes: [UInt8], receipt: UInt64)> {
    AsyncStream { nil }
  }

  /// Carries out one operation, and gives up waiting for its answer when it takes too long.
  package func perform(
    _ operation: LinkOperation,
    within deadline: Duration,
    clock: any MonotonicClock
  ) async -> OperationAnswer {
    await withTaskGroup(of: OperationAnswer.self) { group in
      group.addTask { await self.perform(operation) }
      group.addTask {
        try? await clock.sleep(for: deadline)
        return (nil, .deadlinePassed, 0)
      }
      let answer = await group.next()
      group.cancelAll()
      return answer ?? (nil, .deadlinePassed, 0)
    }
  }
}
