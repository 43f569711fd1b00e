import CBlueZ
package import Host
import Synchronization

/// A private connection to a message bus.
///
/// It owns libdbus's connection; only its executor's thread touches that. Replies, signals and
/// incoming calls are delivered in order of receipt. When the bus goes away, all pending calls fail
/// with ``DBusError/disconnected`` and all streams end; a new connection needs a new `Connection`.
package actor Connection {
  nonisolated let executor: LoopExecutor
  /// Written once, before ``open(_:executor:patience:)`` returns.
  private nonisolated let assignedName = Mutex("")

  /// nil before it is opened and once it is closed.
  private var transport: Transport?
  var isOpen: Bool { transport != nil }
  private var isPumping = false
  private var sequence: UInt64 = 0
  /// How many signals came in, with or without a subscriber.
  package private(set) var signalsReceived: UInt64 = 0
  private nonisolated let missed = Atomic(0)
  var pending = PendingCalls()
  var signals: AsyncStream<Signal>.Continuation?
  /// The match rules that the bus has from this connection.
  var rules: [MatchRule] = []
  private var incomingCalls: AsyncStream<IncomingCall>.Continuation?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// The name that the bus gave this connection, such as `:1.42`.
  package nonisolated var uniqueName: String { assignedName.withLock { $0 } }

  /// How many signals were dropped because their reader was too far behind. A reader looks at it
  /// before each signal: what waits may be older than what was dropped.
  package nonisolated var signalsMissed: Int { missed.load(ordering: .relaxed) }

  private init(executor: LoopExecutor) { self.executor = executor }

  /// Connects to a bus and introduces itself.
  ///
  /// Fails when the address is wrong, no bus listens there, or the bus refuses us.
  /// - Parameters:
  ///   - executor: shared with the actors that use this connection, to avoid changing threads; by
  ///     default the connection has its own.
  ///   - patience: how long the bus may take for `Hello`.
  ///     Source of the default: libdbus, _DBUS_DEFAULT_TIMEOUT_VALUE.
  package static func open(
    _ bus: BusAddress,
    executor: LoopExecutor = .ofProgram(),
    patience: Duration = .seconds(25)
  ) async throws(DBusError) -> Connection {
    let connection = Connection(executor: executor)
    try await connection.introduce(to: try bus.resolved(), within: patience)
    return connection
  }

  /// Calls a method and awaits its reply, for ever: libdbus's timeouts are not used.
  ///
  /// - Parameter onReply: called with the reply on the connection's thread at its receipt, so before a
  ///   signal that comes after it can be read. The caller's task may resume later than that.
  /// - Throws: the error that the peer or the bus answered; ``DBusError/cancelled`` when the task
  ///   is cancelled, ``DBusError/disconnected``, or an error of the arguments. After a cancellation
  ///   the peer may still act on the call; its reply is dropped.
  package func call(
    _ call: MethodCall,
    onReply: (@Sendable (Reply) -> Void)? = nil
  ) async throws(DBusError) -> Reply {
    if Task.isCancelled { throw .cancelled(call.member) }
    return try await result(of: begin(call, onReply: onReply)).get()
  }

  /// Sends a signal to all connections with a match rule for it.
  package func emit(
    path: ObjectPath,
    interface: String,
    member: String,
    arguments: [Value] = []
  ) throws(DBusError) {
    _ = try send(try Message.signal(member, of: interface, at: path, arguments: arguments))
    pump()
  }

  /// Becomes the owner of a well-known name.
  ///
  /// Fails with ``DBusError/addressInUse`` when another connection owns it; we do not queue for it.
  package func requestName(_ name: String) async throws(DBusError) {
    try Names.check(name, "bus name", dbus_validate_bus_name)
    let doNotQueue: UInt32 = 4
    let reply = try await call(Bus.call("RequestName", [.string(name), .uint32(doNotQueue)]))
    let owner: UInt32 = 1
    let alreadyOwner: UInt32 = 4
    guard [owner, alreadyOwner].contains(reply.arguments.first?.uint32) else {
      throw DBusError(
        name: DBusError.addressInUse,
        message: "The name \(name) has an owner already: is another instance running?"
      )
    }
  }

  /// How many calls from other connections may wait for their reader.
  package static let mostCalls = 4096

  /// - Returns: the calls from other connections from now on; each of them wants an ``answer(_:_:)``.
  ///   ``mostCalls`` may wait for their reader; one more is answered with
  ///   ``DBusError/limitsExceeded``. Ends with the connection. Without this the connection answers
  ///   that it has no objects.
  package nonisolated func serve() -> AsyncStream<IncomingCall> {
    let (calls, continuation) = AsyncStream<IncomingCall>.makeStream(
      bufferingPolicy: .bufferingOldest(Self.mostCalls)
    )
    executor.perform {
      self.assumeIsolated { connection in
        if connection.transport == nil { continuation.finish() }
        connection.incomingCalls = continuation
      }
    }
    return calls
  }

  /// Closes the connection: pending calls fail, streams end. Idempotent.
  package func close() {
    shutDown(DBusError(name: DBusError.disconnected, message: "The connection was closed."))
  }
}

// For the other parts of the module. Isolated, hence on the connection's thread.
extension Connection {
  /// Sends a call. Sending several calls before awaiting a reply saves round trips: the peer takes
  /// them in order.
  func begin(
    _ call: MethodCall,
    onReply: (@Sendable (Reply) -> Void)? = nil
  ) throws(DBusError) -> BegunCall {
    let serial = try send(try Message.call(call))
    let reply = pending.add(serial, destination: call.destination, onReply: onReply)
    // Sending may have read messages too, which must not wait until the socket is readable again.
    pump()
    return BegunCall(member: call.member, serial: serial, reply: reply)
  }

  /// Awaits the reply, or the task's cancellation.
  func result(of call: BegunCall) async -> Result<Reply, DBusError> {
    let (serial, member) = (call.serial, call.member)
    return await withTaskCancellationHandler {
      await call.reply.value()
    } onCancel: {
      // In order with the other work of the thread.
      executor.perform {
        self.assumeIsolated { $0.pending.end(serial, .failure(.cancelled(member))) }
      }
    }
  }

  /// Sends a call that wants no reply. It is lost with the connection.
  func sendWithoutReply(_ call: MethodCall) {
    guard let message = try? Message.call(call, expectsReply: false) else { return }
    _ = try? send(message)
    pump()
  }

  /// Answers a call from another connection.
  ///
  /// - Throws: an error of the arguments, or ``DBusError/disconnected``.
  package func answer(_ call: IncomingCall, _ result: Result<[Value], DBusError>) throws(DBusError)
  {
    guard call.expectsReply else { return }
    switch result {
    case .success(let arguments): _ = try send(try Message.reply(to: call, arguments: arguments))
    case .failure(let error): _ = try send(try Message.error(error, to: call))
    }
    pump()
  }

}

// Sending, receiving and closing.
extension Connection {
  /// How many messages are handled before other work may use the executor.
  static let messagesPerTurn = 256

  private func introduce(
    to address: String,
    within patience: Duration
  ) async throws(DBusError) {
    let transport = try Transport(address: address)
    self.transport = transport
    transport.watch(on: executor) { [weak self] in
      self?.assumeIsolated { connection in
        connection.transport?.turn()
        connection.pump()
      }
    }
    do throws(DBusError) {
      let hello = try begin(Bus.call("Hello"))
      // Not the call, which would keep its reply until then.
      executor.perform(after: patience) { [weak self, serial = hello.serial] in
        let error = DBusError(
          name: DBusError.timeout,
          message: "\(Bus.name) did not answer Hello within \(patience)."
        )
        self?.assumeIsolated { $0.pending.end(serial, .failure(error)) }
      }
      let reply = try await result(of: hello).get()
      assignedName.withLock { $0 = reply.arguments.first?.string ?? "" }
    } catch {
      close()
      throw DBusError(
        name: error.name,
        message: "The bus at \(address) refused the connection: \(error.message)"
      )
    }
  }

  private func send(_ message: consuming Message) throws(DBusError) -> UInt32 {
    guard let transport else { throw .closed }
    return try transport.send(message)
  }

  /// Handles what has come in.
  private func pump() {
    guard !isPumping, let transport else { return }
    isPumping = true
    defer { isPumping = false }
    var handled = 0
    while handled < Connection.messagesPerTurn, let message = transport.popMessage() {
      handled += 1
      handle(message)
      if self.transport == nil { return }
    }
    if handled >= Connection.messagesPerTurn {
      executor.perform { [weak self] in self?.assumeIsolated { $0.pump() } }
    } else if !transport.isConnected {
      shutDown(
        DBusError(name: DBusError.disconnected, message: "The bus closed the connection.")
      )
      return
    }
    transport.watchWriting()
  }

  private func handle(_ message: consuming Message) {
    sequence += 1
    switch message.kind {
    case .reply, .error: handleReply(message)
    case .signal:
      signalsReceived += 1
      handleSignal(message)
    case .methodCall: handleCall(message)
    case .unknown: break
    }
  }

  private func handleReply(_ message: borrowing Message) {
    let serial = message.replySerial
    guard pending.expects(serial, from: message.sender) else { return }
    if message.kind == .error {
      pending.end(serial, .failure(message.error))
      return
    }
    do throws(DBusError) {
      let reply = Reply(arguments: try message.arguments(), sequence: sequence)
      pending.end(serial, .success(reply))
    } catch {
      pending.end(serial, .failure(error))
    }
  }

  private func handleSignal(_ message: borrowing Message) {
    // Only libdbus's own Disconnected has no sender (the bus fills it in for all others), and the
    // end of the pump notices that anyway.
    guard let signals, let sender = message.sender, let path = message.path,
      let interface = message.interface, let member = message.member,
      let arguments = try? message.arguments()
    else { return }
    // The bus sends it to each connection that gets a name, first after Hello, without any rule.
    if sender == Bus.name, member == "NameAcquired" { return }
    let signal = Signal(
      sender: sender,
      path: path,
      interface: interface,
      member: member,
      arguments: arguments,
      sequence: sequence
    )
    if case .dropped = signals.yield(signal) { missed.add(1, ordering: .relaxed) }
  }

  private func handleCall(_ message: borrowing Message) {
    guard let sender = message.sender, let path = message.path, let member = message.member else {
      return
    }
    func incomingCall(_ arguments: [Value]) -> IncomingCall {
      IncomingCall(
        sender: sender,
        path: path,
        interface: message.interface,
        member: member,
        arguments: arguments,
        serial: message.serial,
        expectsReply: message.expectsReply
      )
    }
    do throws(DBusError) {
      let call = incomingCall(try message.arguments())
      switch incomingCalls?.yield(call) {
      case .enqueued: break
      case .dropped: try answer(call, .failure(.tooManyCalls))
      default: try answer(call, .failure(.unknownObject(call)))
      }
    } catch {
      // A call that can't be decoded can't be dispatched. An answer that can't be sent is dropped.
      try? answer(incomingCall([]), .failure(error))
    }
  }

  private func shutDown(_ error: DBusError) {
    guard transport != nil else { return }
    transport = nil
    pending.endAll(error)
    signals?.finish()
    incomingCalls?.finish()
  }
}
