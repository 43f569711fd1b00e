import Host

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
    _ = try await connection.changeSubscription(id, to: rules)
  }

  /// Replaces the rules, and makes a call with the new ones in force, in one round trip.
  ///
  /// - Returns: the answer of the call; thrown errors concern the rules.
  package func change(
    to rules: [MatchRule],
    asking call: MethodCall
  ) async throws(DBusError) -> Result<Reply, DBusError> {
    try await connection.changeSubscription(id, to: rules, asking: call)
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
      // A loop may hold only this iterator, which must keep the subscription alive.
      defer { withExtendedLifetime(subscription) {} }
      return await base.next(isolation: actor)
    }
  }
}

extension Connection {
  /// Subscribes to the signals that match any of `rules`. When this returns, the bus has them: a
  /// signal sent from now on is not missed.
  package func subscribe(to rules: [MatchRule]) async throws(DBusError) -> Subscription {
    let subscription = try newSubscription()
    try await subscription.change(to: rules)
    return subscription
  }

  /// Subscribes, and makes a call with the rules in force, in one round trip.
  ///
  /// - Returns: the answer of the call, too; thrown errors concern the rules.
  package func subscribe(
    to rules: [MatchRule],
    asking call: MethodCall
  ) async throws(DBusError) -> (subscription: Subscription, answer: Result<Reply, DBusError>) {
    let subscription = try newSubscription()
    return (subscription, try await subscription.change(to: rules, asking: call))
  }

  /// If the bus refuses its rules, the subscription is dropped, which ends it.
  ///
  /// - Throws: on a closed connection, which would never end a new stream.
  private func newSubscription() throws(DBusError) -> Subscription {
    guard isOpen else { throw .closed }
    let (stream, continuation) = AsyncStream<Signal>.makeStream()
    return Subscription(id: subscriptions.add(continuation), connection: self, stream: stream)
  }

  func changeSubscription(_ id: Int, to rules: [MatchRule]) async throws(DBusError) {
    try await finish(rules, beginChange(of: id, to: rules), for: id)
  }

  func changeSubscription(
    _ id: Int,
    to rules: [MatchRule],
    asking call: MethodCall
  ) async throws(DBusError) -> Result<Reply, DBusError> {
    let answers = try beginChange(of: id, to: rules)
    // After the rules: the bus takes them first.
    let begun = Result { () throws(DBusError) in try begin(call, timeout: nil) }
    try await finish(rules, answers, for: id)
    switch begun {
    case .success(let begun): return await result(of: begun)
    case .failure(let error): return .failure(error)
    }
  }

  /// Asks for all rules at once: the bus takes them in order.
  private func beginChange(
    of id: Int,
    to rules: [MatchRule]
  ) throws(DBusError) -> [PendingReply<Void>] {
    for rule in rules { try rule.check() }
    guard subscriptions.begin(rules, for: id) else {
      throw DBusError(name: DBusError.disconnected, message: "The subscription has ended.")
    }
    return rules.map { rule in
      let answer = PendingReply<Void>()
      acquire(rule.text, answer.finish)
      return answer
    }
  }

  private func finish(
    _ rules: [MatchRule],
    _ answers: [PendingReply<Void>],
    for id: Int
  ) async throws(DBusError) {
    var results: [Result<Void, DBusError>] = []
    for answer in answers { results.append(await answer.result(on: self)) }
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
