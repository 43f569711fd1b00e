/// The signals that match any of a set of rules, in the order of their receipt.
///
/// Unbounded: no signal is dropped. Ends on disconnect, on ``cancel()`` and when the iterating task
/// is cancelled. One task iterates it. Its match rules leave the bus with ``cancel()`` or with the
/// last reference.
package final class Subscription: AsyncSequence, Sendable {
  package typealias Element = Signal
  package typealias Failure = Never

  private let id: Int
  private let connection: Connection
  private let stream: AsyncStream<Signal>

  init(id: Int, connection: Connection, stream: AsyncStream<Signal>) {
    self.id = id
    self.connection = connection
    self.stream = stream
  }

  deinit {
    connection.executor.perform { [connection, id] in
      connection.assumeIsolated { $0.endSubscription(id) }
    }
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(subscription: self, base: stream.makeAsyncIterator())
  }

  /// Replaces the rules. The new ones are in force before the old ones go, so that no signal that
  /// matches both is lost. On failure the old ones stay.
  package func change(to rules: [MatchRule]) async throws(DBusError) {
    try await connection.changeSubscription(id, to: rules)
  }

  /// Ends the stream and removes the match rules. Idempotent.
  package func cancel() async {
    await connection.endSubscription(id)
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

extension Connection {
  /// Subscribes to the signals that match any of `rules`. When this returns, the bus has them: a
  /// signal sent from now on is not missed.
  package func subscribe(to rules: [MatchRule]) async throws(DBusError) -> Subscription {
    let (stream, continuation) = AsyncStream<Signal>.makeStream()
    let id = subscriptions.add(continuation)
    // Ends itself when the rules are refused and it is dropped.
    let subscription = Subscription(id: id, connection: self, stream: stream)
    try await changeSubscription(id, to: rules)
    return subscription
  }

  func changeSubscription(_ id: Int, to rules: [MatchRule]) async throws(DBusError) {
    for rule in rules { try rule.check() }
    guard subscriptions.begin(rules, for: id) else {
      throw DBusError(name: DBusError.disconnected, message: "The subscription has ended.")
    }
    var acquired: [MatchRule] = []
    do throws(DBusError) {
      for rule in rules {
        try await acquire(rule)
        acquired.append(rule)
      }
    } catch {
      subscriptions.forget(rules, for: id)
      release(acquired)
      throw error
    }
    release(subscriptions.finish(rules, for: id))
  }

  func endSubscription(_ id: Int) {
    release(subscriptions.end(id))
  }

  private func acquire(_ rule: MatchRule) async throws(DBusError) {
    let text = rule.text
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Void, DBusError>, Never>) in
      let isFirst = matches.acquire(text) { continuation.resume(returning: $0) }
      guard isFirst else { return }
      start(Bus.call("AddMatch", [.string(text)])) { result in
        self.matches.added(text, result.map { _ in () })
      }
    }
    try result.get()
  }

  private func release(_ rules: [MatchRule]) {
    for rule in rules where matches.release(rule.text) {
      sendWithoutReply(Bus.call("RemoveMatch", [.string(rule.text)]))
    }
  }
}
