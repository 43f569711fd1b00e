// Signals. The bus decides which ones this connection gets: nothing compares them once more.

import Host

extension Connection {
  /// How many signals may wait for their reader: BlueZ sends some hundred when it starts, and a
  /// reader may wait for an answer of BlueZ meanwhile.
  package static let mostSignals = 4096

  /// Asks the bus for the signals that match any of `rules`. When this returns, the bus has them: a
  /// signal sent from now on is not missed.
  ///
  /// - Returns: all signals that come in from now on, in the order of their receipt, also those that
  ///   another connection sends to this one alone, but not the bus's NameAcquired. ``mostSignals``
  ///   may wait for their reader; for one more the oldest is dropped, and ``signalsMissed`` counts
  ///   it. Ends with the connection. A connection has one such stream.
  package func subscribe(to rules: [MatchRule]) async throws(DBusError) -> AsyncStream<Signal> {
    let signals = try newSignals()
    try await setRules(rules)
    return signals
  }

  /// Subscribes, and makes a call with the rules in force, in one round trip.
  ///
  /// - Returns: the answer of the call, too; thrown errors concern the rules.
  package func subscribe(
    to rules: [MatchRule],
    asking call: MethodCall
  ) async throws(DBusError) -> (signals: AsyncStream<Signal>, answer: Result<Reply, DBusError>) {
    let signals = try newSignals()
    return (signals, try await setRules(rules, asking: call))
  }

  /// Replaces the rules. The new ones are in force before the old ones go, so that no signal that
  /// matches both is lost. On failure the old ones stay.
  package func setRules(_ rules: [MatchRule]) async throws(DBusError) {
    try await finish(rules, try begin(rules))
  }

  /// Replaces the rules, and makes a call with the new ones in force, in one round trip.
  ///
  /// - Parameter onReply: see ``call(_:onReply:)``.
  /// - Returns: the answer of the call; thrown errors concern the rules.
  package func setRules(
    _ rules: [MatchRule],
    asking call: MethodCall,
    onReply: (@Sendable (Reply) -> Void)? = nil
  ) async throws(DBusError) -> Result<Reply, DBusError> {
    let answers = try begin(rules)
    // After the rules: the bus takes them first.
    let begun = Result { () throws(DBusError) in try begin(call, onReply: onReply) }
    try await finish(rules, answers)
    switch begun {
    case .success(let begun): return await result(of: begun)
    case .failure(let error): return .failure(error)
    }
  }

  /// - Throws: on a closed connection, which would never end a new stream.
  private func newSignals() throws(DBusError) -> AsyncStream<Signal> {
    guard isOpen else { throw .closed }
    let (stream, continuation) = AsyncStream<Signal>.makeStream(
      bufferingPolicy: .bufferingNewest(Self.mostSignals)
    )
    signals?.finish()
    signals = continuation
    return stream
  }

  /// Asks for all rules at once: the bus takes them in order.
  private func begin(_ rules: [MatchRule]) throws(DBusError) -> [BegunCall] {
    for rule in rules { try rule.check() }
    return try rules.map { rule throws(DBusError) in
      try begin(Bus.call("AddMatch", [.string(rule.text)]))
    }
  }

  private func finish(_ new: [MatchRule], _ answers: [BegunCall]) async throws(DBusError) {
    var added: [MatchRule] = []
    var refusal: DBusError?
    for (rule, answer) in zip(new, answers) {
      switch await answer.reply.value() {
      case .success: added.append(rule)
      case .failure(let error): refusal = refusal ?? error
      }
    }
    // The bus counts a rule as often as it was added.
    for rule in refusal == nil ? rules : added {
      sendWithoutReply(Bus.call("RemoveMatch", [.string(rule.text)]))
    }
    if let refusal { throw refusal }
    rules = new
  }
}
