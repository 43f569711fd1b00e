/// The calls that await their replies, by serial.
struct PendingCalls {
  typealias Completion = (Result<Reply, DBusError>) -> Void

  private struct PendingCall {
    var destination: String
    var deadline: Task<Void, Never>?
    var complete: Completion
  }

  private var calls: [UInt32: PendingCall] = [:]

  mutating func add(
    _ serial: UInt32,
    destination: String,
    deadline: Task<Void, Never>?,
    _ complete: @escaping Completion
  ) {
    calls[serial] = PendingCall(
      destination: destination,
      deadline: deadline,
      complete: complete
    )
  }

  /// Ends a call. Does nothing if the call has ended already.
  mutating func end(_ serial: UInt32, _ result: Result<Reply, DBusError>) {
    guard let call = calls.removeValue(forKey: serial) else { return }
    call.deadline?.cancel()
    call.complete(result)
  }

  mutating func endAll(_ error: DBusError) {
    let ended = calls
    calls = [:]
    for serial in ended.keys.sorted() {
      ended[serial]?.deadline?.cancel()
      ended[serial]?.complete(.failure(error))
    }
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
