import Synchronization
package import Threads

/// A private connection to a message bus.
///
/// It owns libdbus's connection on the thread of its executor: no other thread touches it. Replies,
/// signals and incoming calls come out in the order of their receipt. When the bus goes away, all
/// pending calls fail with ``DBusError/disconnected`` and all streams end; a new connection is a new
/// `Connection`.
package actor Connection {
  nonisolated let executor: LoopExecutor
  /// Written once, before ``open(_:clock:)`` returns.
  private nonisolated let assignedName = Mutex("")
  private let clock: any Clock<Duration>

  /// nil before it is opened and once it is closed.
  private var transport: Transport?
  private var isPumping = false
  private var sequence: UInt64 = 0
  /// How many signals came in, wanted or not.
  package private(set) var signalsReceived: UInt64 = 0
  var pending = PendingCalls()
  var matches = MatchTable()
  var subscriptions = SubscriptionTable()
  private var incomingCalls: AsyncStream<IncomingCall>.Continuation?
  private var disconnectionWaiters: [UInt64: AsyncStream<Never>.Continuation] = [:]
  private var nextWaiter: UInt64 = 0

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// The name that the bus gave this connection, such as `:1.42`.
  package nonisolated var uniqueName: String { assignedName.withLock { $0 } }

  private init(executor: LoopExecutor, clock: any Clock<Duration>) {
    self.executor = executor
    self.clock = clock
  }

  /// Connects to a bus and introduces itself.
  ///
  /// Fails when the address is wrong, nobody listens there, or the bus does not take us.
  /// - Parameters:
  ///   - executor: of actors that work with this connection, so that no thread lies between; by
  ///     default it has one of its own.
  ///   - clock: measures the deadlines of calls.
  package static func open(
    _ bus: BusAddress,
    executor: LoopExecutor = .ofProgram(),
    clock: any Clock<Duration> = SuspendingClock()
  ) async throws(DBusError) -> Connection {
    let connection = Connection(executor: executor, clock: clock)
    try await connection.introduce(to: try bus.resolved())
    return connection
  }

  /// Calls a method and awaits its reply.
  ///
  /// - Parameter timeout: our own deadline, after which the call fails with ``DBusError/timeout``;
  ///   nil waits for ever. libdbus has no part in it.
  /// - Throws: the error that the peer or the bus answered; ``DBusError/cancelled`` when the task is
  ///   cancelled, ``DBusError/disconnected``, or what is wrong with the arguments. After a timeout
  ///   or a cancellation the peer may still act on the call; its reply is dropped.
  package func call(_ call: MethodCall, timeout: Duration?) async throws(DBusError) -> Reply {
    if Task.isCancelled { throw .cancelled(call.member) }
    return try await result(of: begin(call, timeout: timeout)).get()
  }

  /// Sends a signal to whoever has a match rule for it.
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
  /// Fails with ``DBusError/addressInUse`` when somebody else owns it; we do not queue for it.
  package func requestName(_ name: String) async throws(DBusError) {
    try Names.checkBus(name)
    let doNotQueue: UInt32 = 4
    let reply = try await call(
      Bus.call("RequestName", [.string(name), .uint32(doNotQueue)]),
      timeout: nil
    )
    let owner: UInt32 = 1
    let alreadyOwner: UInt32 = 4
    guard [owner, alreadyOwner].contains(reply.arguments.first?.uint32) else {
      throw DBusError(
        name: DBusError.addressInUse,
        message: "The name \(name) has an owner already: is another instance running?"
      )
    }
  }

  /// Gives a well-known name up. Does nothing when it isn't ours.
  package func releaseName(_ name: String) async throws(DBusError) {
    try Names.checkBus(name)
    _ = try await call(Bus.call("ReleaseName", [.string(name)]), timeout: nil)
  }

  /// Returns once the connection is closed, by either side, or when the task is cancelled.
  package func waitUntilDisconnected() async {
    guard transport != nil else { return }
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    let waiter = nextWaiter
    nextWaiter += 1
    disconnectionWaiters[waiter] = continuation
    defer { disconnectionWaiters[waiter] = nil }
    for await _ in stream {}
  }

  /// Closes the connection: pending calls fail, streams end. Idempotent.
  package func close() {
    shutDown(DBusError(name: DBusError.disconnected, message: "The connection was closed."))
  }
}

// What the other parts of the module build upon. Isolated, hence on the connection's thread.
extension Connection {
  /// Calls a method without a deadline; `completion` runs on the connection's thread.
  func start(_ call: MethodCall, _ completion: @escaping PendingCalls.Completion) {
    do throws(DBusError) {
      let serial = try send(try Message.call(call))
      expectReply(to: call, serial, timeout: nil, completion)
    } catch {
      completion(.failure(error))
    }
  }

  /// Sends a call. Whoever sends several before awaiting a reply spares the ways in between: they are
  /// taken in order.
  func begin(_ call: MethodCall, timeout: Duration?) throws(DBusError) -> BegunCall {
    let serial = try send(try Message.call(call))
    let reply = PendingReply<Reply>()
    expectReply(to: call, serial, timeout: timeout, reply.finish)
    return BegunCall(member: call.member, serial: serial, reply: reply)
  }

  /// Awaits the reply, or that the task is cancelled.
  func result(of call: BegunCall) async -> Result<Reply, DBusError> {
    let (serial, member) = (call.serial, call.member)
    return await withTaskCancellationHandler {
      await call.reply.result(on: self)
    } onCancel: {
      // In order with what happens on the thread.
      executor.perform {
        self.assumeIsolated { $0.pending.end(serial, .failure(.cancelled(member))) }
      }
    }
  }

  /// Sends a call that nobody answers. It is lost when the connection is.
  func sendWithoutReply(_ call: MethodCall) {
    guard let message = try? Message.call(call, expectsReply: false) else { return }
    _ = try? send(message)
    pump()
  }

  /// Answers a call of another connection.
  func answer(_ call: IncomingCall, _ result: Result<[Value], DBusError>) throws(DBusError) {
    guard call.expectsReply else { return }
    switch result {
    case .success(let arguments): _ = try send(try Message.reply(to: call, arguments: arguments))
    case .failure(let error): _ = try send(try Message.error(error, to: call))
    }
    pump()
  }

  /// From now on `calls` gets the calls of other connections.
  func serve(_ calls: AsyncStream<IncomingCall>.Continuation) {
    if transport == nil { calls.finish() }
    incomingCalls = calls
  }
}

// The machinery.
extension Connection {
  /// How long the bus may take to greet. Source: libdbus, _DBUS_DEFAULT_TIMEOUT_VALUE.
  private static let handshakeTimeout = Duration.seconds(25)

  /// So many messages are handled before others may use the executor.
  static let messagesPerTurn = 256

  private func introduce(to address: String) async throws(DBusError) {
    let transport = try Transport(address: address)
    self.transport = transport
    transport.watch(on: executor) { [weak self] in
      self?.assumeIsolated { connection in
        connection.transport?.turn()
        connection.pump()
      }
    }
    do throws(DBusError) {
      let reply = try await call(Bus.call("Hello"), timeout: Connection.handshakeTimeout)
      assignedName.withLock { $0 = reply.arguments.first?.string ?? "" }
    } catch {
      close()
      throw DBusError(
        name: error.name,
        message: "The bus at \(address) did not let us in: \(error.message)"
      )
    }
  }

  private func send(_ message: consuming Message) throws(DBusError) -> UInt32 {
    guard let transport else {
      throw DBusError(name: DBusError.disconnected, message: "The connection is closed.")
    }
    guard !message.carriesFileDescriptors || transport.canSendFileDescriptors else {
      throw DBusError(
        name: DBusError.notSupported,
        message: "This bus does not carry file descriptors."
      )
    }
    return try transport.send(message)
  }

  private func expectReply(
    to call: MethodCall,
    _ serial: UInt32,
    timeout: Duration?,
    _ completion: @escaping PendingCalls.Completion
  ) {
    let deadline = timeout.map { timeout in
      Task { [clock, weak self] in
        guard (try? await clock.sleep(for: timeout)) != nil else { return }
        let error = DBusError(
          name: DBusError.timeout,
          message: "\(call.destination) did not answer \(call.member) within \(timeout)."
        )
        await self?.end(serial, error)
      }
    }
    pending.add(serial, destination: call.destination, deadline: deadline, completion)
    // Sending may have read as well: what it read must not wait for the next readable moment.
    pump()
  }

  private func end(_ serial: UInt32, _ error: DBusError) {
    pending.end(serial, .failure(error))
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
    // Only libdbus itself sends without a sender: its own Disconnected, which the end of the pump
    // sees as well. Nobody else can: the bus fills the sender in.
    guard !subscriptions.isEmpty, let sender = message.sender, let path = message.path,
      let interface = message.interface, let member = message.member,
      let arguments = try? message.arguments()
    else { return }
    subscriptions.deliver(
      Signal(
        sender: sender,
        path: path,
        interface: interface,
        member: member,
        arguments: arguments,
        sequence: sequence
      )
    )
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
      if case .enqueued? = incomingCalls?.yield(call) { return }
      try answer(call, .failure(.unknownObject(call)))
    } catch {
      // What can't be decoded can't be dispatched either. An answer that can't be sent is moot.
      try? answer(incomingCall([]), .failure(error))
    }
  }

  private func shutDown(_ error: DBusError) {
    guard transport != nil else { return }
    transport = nil
    pending.endAll(error)
    subscriptions.endAll()
    incomingCalls?.finish()
    for waiter in disconnectionWaiters.values { waiter.finish() }
  }
}
