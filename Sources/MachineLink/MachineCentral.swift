package import BlueZ
package import Clocks

/// What carries out the link's operations: BlueZ, or a fake of it in a test.
package protocol MachineCentral: Sendable {
  /// The link lives there, too: no thread lies between the two.
  var unownedExecutor: UnownedSerialExecutor { get }

  /// BlueZ's levels as they change. Only the newest is kept for a reader that is behind: levels
  /// need no history.
  var levels: AsyncStream<BlueZState> { get }

  /// What the machine notifies, each value once and in order; of very many only the newest.
  var notifications: AsyncStream<[UInt8]> { get }

  /// Works until ``close()``.
  func run() async

  /// Carries out one operation and waits for its answer, however long it takes. Cancelling the
  /// task gives the wait up, not the operation.
  ///
  /// - Returns: the levels after the answer, and the error if it failed.
  func perform(_ operation: LinkOperation) async -> (levels: BlueZState?, error: BlueZError?)

  func close() async
}

extension MachineCentral {
  /// Of a machine that says nothing.
  package var notifications: AsyncStream<[UInt8]> { AsyncStream { nil } }

  /// Carries out one operation, and gives up waiting for its answer when it takes too long.
  package func perform(
    _ operation: LinkOperation,
    within deadline: Duration,
    clock: any MonotonicClock
  ) async -> (levels: BlueZState?, error: BlueZError?) {
    typealias Answer = (levels: BlueZState?, error: BlueZError?)
    return await withTaskGroup(of: Answer.self) { group in
      group.addTask { await self.perform(operation) }
      group.addTask {
        try? await clock.sleep(for: deadline)
        return (nil, .deadlinePassed)
      }
      let answer = await group.next()
      group.cancelAll()
      return answer ?? (nil, .deadlinePassed)
    }
  }
}
