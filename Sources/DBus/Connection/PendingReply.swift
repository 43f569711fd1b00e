/// An answer that may come before anybody waits for it.
///
/// It belongs to the thread of its connection, as does whoever waits.
final class PendingReply<Value: Sendable> {
  typealias Outcome = Result<Value, DBusError>

  private var outcome: Outcome?
  private var waiter: CheckedContinuation<Outcome, Never>?

  /// Once.
  func finish(_ outcome: Outcome) {
    self.outcome = outcome
    waiter?.resume(returning: outcome)
    waiter = nil
  }

  /// For one who waits.
  ///
  /// - Parameter connection: whose answer it is. Said by hand: a closure is isolated only to what it
  ///   names, and elsewhere an answer could slip in between the look and the wait.
  func result(on connection: isolated Connection) async -> Outcome {
    if let outcome { return outcome }
    return await withCheckedContinuation { waiter = $0 }
  }
}

/// A call that has been sent.
struct BegunCall {
  let member: String
  let serial: UInt32
  let reply: PendingReply<Reply>
}

extension DBusError {
  /// Nobody waits for the reply to this call any more.
  static func cancelled(_ member: String) -> DBusError {
    DBusError(name: cancelled, message: "The call of \(member) was cancelled.")
  }
}
