import Host

/// The calls that await their replies, by serial.
struct PendingCalls {
  typealias Answer = Handover<Result<Reply, DBusError>>

  private struct Call {
    let destination: String
    let onReply: (@Sendable (Reply) -> Void)?
    let answer = Answer()
  }

  private var calls: [UInt32: Call] = [:]

  /// - Parameter onReply: see ``Connection/call(_:onReply:)``.
  mutating func add(
    _ serial: UInt32,
    destination: String,
    onReply: (@Sendable (Reply) -> Void)?
  ) -> Answer {
    let call = Call(destination: destination, onReply: onReply)
    calls[serial] = call
    return call.answer
  }

  /// Ends a call. Does nothing if the call has ended already.
  mutating func end(_ serial: UInt32, _ result: Result<Reply, DBusError>) {
    guard let call = calls.removeValue(forKey: serial) else { return }
    if case .success(let reply) = result { call.onReply?(reply) }
    call.answer.give(result)
  }

  mutating func endAll(_ error: DBusError) {
    for serial in calls.keys.sorted() { end(serial, .failure(error)) }
  }

  /// Whether `sender` may answer this call. A call to a unique name is answered by that connection,
  /// or by the bus in its place; only the bus knows the owner of a well-known name.
  func expects(_ serial: UInt32, from sender: String?) -> Bool {
    guard let call = calls[serial] else { return false }
    guard call.destination.utf8.first == UInt8(ascii: ":") else {
      return call.destination != Bus.name || sender == Bus.name
    }
    return sender == call.destination || sender == Bus.name
  }
}

/// A call that has been sent.
struct BegunCall {
  let member: String
  let serial: UInt32
  let reply: PendingCalls.Answer
}

extension DBusError {
  /// The task that awaited the reply was cancelled.
  static func cancelled(_ member: String) -> DBusError {
    DBusError(name: cancelled, message: "The call of \(member) was cancelled.")
  }
}
