/// The signals that match any of a set of rules, in the order of their receipt.
///
/// Unbounded: no signal is dropped. Ends on disconnect, on ``cancel()`` and when the iterating task
/// is cancelled. One task iterates it. Its match rules leave the bus with ``cancel()`` or with the
/// last reference.
package final class Subscription: AsyncSequence, Sendable {
  package typealias Element = Signal
  package typealias Failure = Never

  let id: Int
  private let connection: Connection
  private let stream: AsyncStream<Signal>

  init(id: Int, connection: Connection, stream: AsyncStream<Signal>) {
    self.id = id
    self.connection = connection
    self.stream = stream
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(subscription: self, base: stream.makeAsyncIterator())
  }

  /// Replaces the rules. The new ones are in force before the old ones go, so that no signal that
  /// matches both is lost. On failure the old ones stay.
  package func change(to rules: [MatchRule]) async throws(DBusError) {
    fatalError("not yet")
  }

  /// Ends the stream and removes the match rules. Idempotent.
  package func cancel() async {
    fatalError("not yet")
  }

  package struct Iterator: AsyncIteratorProtocol {
    let subscription: Subscription
    var base: AsyncStream<Signal>.Iterator

    package mutating func next() async -> Signal? {
      await next(isolation: #isolation)
    }

    package mutating func next(isolation actor: isolated (any Actor)?) async -> Signal? {
      // The loop may hold nothing but this iterator.
      defer { withExtendedLifetime(subscription) {} }
      return await base.next(isolation: actor)
    }
  }
}
