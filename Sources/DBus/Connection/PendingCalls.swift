import Host

/// The calls that await their replies, by serial.
struct PendingCalls {
  typealias Answer = Handover<Result<Reply, DBusError>>

  private var calls: [UInt32: (destination: String, answer: Answer)] = [:]

  mutating func add(_ serial: UInt32, destination: String) -> Answer {
    let answer = Answer()
    calls[serial] = (destination, answer)
    return answer
  }

  /// Ends a call. Does nothing if the call has ended already.
  mutating func end(_ serial: UInt32, _ result: Result<Reply, DBusError>) {
    calls.removeValue(forKey: serial)?.answer.give(result)
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
