import Threads

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
    let results = await acquire(rules)
    for case .failure(let error) in results {
      subscriptions.forget(rules, for: id)
      release(zip(rules, results).filter { (try? $1.get()) != nil }.map(\.0))
      throw error
    }
    release(subscriptions.finish(rules, for: id))
  }

  func endSubscription(_ id: Int) {
    release(subscriptions.end(id))
  }

  /// Asks for all of them at once, and waits for the last answer: the bus takes them in order.
  private func acquire(_ rules: [MatchRule]) async -> [Result<Void, DBusError>] {
    guard !rules.isEmpty else { return [] }
    return await withCheckedContinuation { continuation in
      var results: [Int: Result<Void, DBusError>] = [:]
      for (number, rule) in rules.enumerated() {
        acquire(rule.text) {
          results[number] = $0
          guard results.count == rules.count else { return }
          continuation.resume(returning: results.sorted { $0.key < $1.key }.map(\.value))
        }
      }
    }
  }

  private func acquire(_ rule: String, _ completion: @escaping MatchTable.Completion) {
    guard matches.acquire(rule, completion) else { return }
    start(Bus.call("AddMatch", [.string(rule)])) { result in
      self.matches.added(rule, result.map { _ in () })
    }
  }

  private func release(_ rules: [MatchRule]) {
    for rule in rules where matches.release(rule.text) {
      sendWithoutReply(Bus.call("RemoveMatch", [.string(rule.text)]))
    }
  }
}
