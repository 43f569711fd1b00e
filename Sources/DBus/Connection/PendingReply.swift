/// An answer that may come before a task waits for it.
///
/// It is used only on the thread of its connection.
final class PendingReply<Value: Sendable> {
  typealias Outcome = Result<Value, DBusError>

  private var outcome: Outcome?
  private var waiter: CheckedContinuation<Outcome, Never>?

  /// To be called once.
  func finish(_ outcome: Outcome) {
    self.outcome = outcome
    waiter?.resume(returning: outcome)
    waiter = nil
  }

  /// To be called by one task.
  ///
  /// - Parameter connection: of the call. Explicit, because a closure is isolated only to an actor
  ///   that it names; without isolation an answer could come between the check and the wait.
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
  /// The task that awaited the reply was cancelled.
  static func cancelled(_ member: String) -> DBusError {
    DBusError(name: cancelled, message: "The call of \(member) was cancelled.")
  }
}
