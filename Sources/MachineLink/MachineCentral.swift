package import BlueZ

/// What carries out the link's operations: BlueZ, or a fake of it in a test.
package protocol MachineCentral: Sendable {
  /// BlueZ's levels as they change. Only the newest is kept for a reader that is behind: levels
  /// need no history.
  var levels: AsyncStream<BlueZState> { get }

  /// Works until ``close()``.
  func run() async

  /// Carries out one operation and waits for its answer, however long it takes. Cancelling the
  /// task gives the wait up, not the operation.
  ///
  /// - Returns: the levels after the answer, and the error if it failed.
  func perform(_ operation: LinkOperation) async -> (levels: BlueZState?, error: BlueZError?)

  func close() async
}
