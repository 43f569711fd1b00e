package import DBus
package import Host

/// A live view of `org.bluez` on one bus connection, and the calls that change it.
///
/// Calls have no deadline here and are not repeated: the caller decides that, and cancels its task
/// to give up a call. The actor runs on the thread of its connection.
package actor BlueZClient {
  static let service = "org.bluez"
  static let blueZPath = ObjectPath(known: "/org/bluez")

  /// What the bus calls itself; nil if it does not say.
  package nonisolated let busID: String?
  private let connection: Connection
  private let signals: AsyncStream<Signal>
  private let onChange: @Sendable (BlueZState) -> Void
  private let onNotification: @Sendable ([UInt8], UInt64) -> Void
  /// The characteristic whose values are awaited.
  private var notifying: ObjectPath?
  private let kernel: (@Sendable () -> KernelView)?
  private var state: BlueZState
  private var scope = ObservationScope.everything
  /// The adapters of the last state: the kernel is asked again when they change.
  private var shownAdapters: [ObjectPath: Adapter]?
  /// The receipt number of the last snapshot, which includes older signals.
  private var snapshotSequence: UInt64 = 0
  /// The receipt number of the last answer that named the owner: it includes older signals, too.
  private var ownerSequence: UInt64 = 0
  /// How many of the connection's signals were dropped when everything was last asked for.
  private var signalsMissed = 0
  private var isClosed = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

  /// Connects to the bus and subscribes; ``run()`` does the rest.
  ///
  /// - Parameter executor: the connection's, by default one of its own.
  /// - Parameter revision: the first state has the next number.
  /// - Parameter kernel: asks the kernel for its view; nil if BlueZ's adapters are not this box's.
  /// - Parameter onNotification: called in order, on this actor, with every value that
  ///   ``startNotify(_:)`` brings, and its receipt number.
  /// - Parameter onChange: called in order, on this actor, with every new state.
  package init(
    bus: BusAddress,
    executor: LoopExecutor = .ofProgram(),
    revision: UInt64,
    kernel: (@Sendable () -> KernelView)? = nil,
    onNotification: @escaping @Sendable ([UInt8], UInt64) -> Void = { _, _ in },
    onChange: @escaping @Sendable (BlueZState) -> Void
  ) async throws(BlueZError) {
    self.onChange = onChange
    self.onNotification = onNotification
    self.kernel = kernel
    let owner: Result<Reply, DBusError>
    do {
      connection = try await Connection.open(bus, executor: executor)
      // Subscribe first, then ask: so no change of owner is missed.
      (signals, owner) = try await connection.subscribe(
        to: Self.rules(for: .everything),
        asking: Self.nameOwner
      )
    } catch {
      throw BlueZError(error)
    }
    busID = (try? await connection.call(Bus.call("GetId")))?.arguments.first?.string
    state = BlueZState()
    state.revision = revision + 1
    state.isBusConnected = true
    state.awaitsFirstSignal = true
    // No answer: the name has no owner, or the bus is lost, which ends ``run()``.
    state.owner = (try? owner.get())?.arguments.first?.string
  }

  /// Follows the bus until it is lost or ``close()`` is called.
  package func run() async {
    if state.owner != nil { try? await refresh() }
    for await signal in signals {
      if connection.signalsMissed != signalsMissed { await beginAgain() }
      await handle(signal)
    }
    state.isBusConnected = false
    state.owner = nil
    state.tree = nil
    publish()
  }

  /// Leaves the bus. The state stays as it is.
  package func close() async {
    isClosed = true
    await connection.close()
  }

  /// How many signals came in, with or without a subscriber.
  package var signalsReceived: UInt64 {
    get async { await connection.signalsReceived }
  }

  /// The newest state.
  package var current: BlueZState { state }

  private func publish() {
    guard !isClosed else { return }
    if state.tree?.adapters != shownAdapters {
      shownAdapters = state.tree?.adapters
      state.kernel = kernelView
    }
    state.revision += 1
    onChange(state)
  }

  /// The kernel's view while it says more than BlueZ.
  private var kernelView: KernelView? {
    guard let adapters = state.tree?.adapters.values,
      adapters.isEmpty || adapters.contains(where: { !$0.isPowered })
    else { return nil }
    return kernel?()
  }

  // MARK: Following

  private func handle(_ signal: Signal) async {
    if signal.member == "NameOwnerChanged", signal.interface == Bus.name {
      guard signal.sender == Bus.name, signal.arguments.first?.string == Self.service,
        signal.sequence > ownerSequence, let owner = signal.arguments.last?.string
      else { return }
      if owner != state.owner ?? "" { await begin(with: owner.isEmpty ? nil : owner) }
      return
    }
    // Signals carry the unique name of their sender: ignore those of a former owner.
    guard signal.sender == state.owner else { return }
    state.awaitsFirstSignal = false
    if let notifying, signal.path == notifying, let value = signal.notifiedValue {
      onNotification(value, signal.sequence)
      return
    }
    guard signal.sequence > snapshotSequence else { return }
    if state.tree?.apply(signal) == true { publish() }
  }

  private func begin(with owner: String?) async {
    state.owner = owner
    state.tree = nil
    publish()
    guard owner != nil else { return }
    // A failure means that this owner is gone too, as the bus will report, or the caller's next
    // refresh shows the error.
    try? await refresh()
  }

  /// Signals were dropped, so nothing counts until the bus and BlueZ have said everything again.
  private func beginAgain() async {
    signalsMissed = connection.signalsMissed
    state.tree = nil
    publish()
    let answer = try? await connection.call(Self.nameOwner)
    ownerSequence = answer?.sequence ?? ownerSequence
    await begin(with: answer?.arguments.first?.string)
  }

  /// Reads all objects again.
  package func refresh() async throws(BlueZError) {
    try await send(Self.allObjects, onReply: snapshotReceiver())
  }

  /// Takes a snapshot at its receipt, not when the task that asked for it resumes: every signal that
  /// comes after it is handled after it, and none has to be kept for it.
  private func snapshotReceiver() -> @Sendable (Reply) -> Void {
    let owner = state.owner
    // The connection's thread is the actor's, too.
    return { reply in self.assumeIsolated { $0.receive(reply, from: owner) } }
  }

  private func receive(_ snapshot: Reply, from owner: String?) {
    guard owner != nil, owner == state.owner, let objects = snapshot.arguments.first else { return }
    snapshotSequence = snapshot.sequence
    var tree = state.tree ?? ObjectTree()
    tree.replace(with: objects)
    guard tree != state.tree else { return }
    state.tree = tree
    publish()
  }

  /// Changes the scope of the subscription, then reads all objects again.
  package func observe(_ scope: ObservationScope) async throws(BlueZError) {
    let former = self.scope
    guard scope != former else { return try await refresh() }
    // At once, so that the next call compares with the new scope. The bus keeps the order.
    self.scope = scope
    let answer: Result<Reply, DBusError>
    do throws(DBusError) {
      answer = try await connection.setRules(
        Self.rules(for: scope),
        asking: Self.allObjects,
        onReply: snapshotReceiver()
      )
    } catch {
      if self.scope == scope { self.scope = former }
      throw BlueZError(error)
    }
    _ = try answer.mapError { BlueZError($0) }.get()
  }

  // MARK: Calls

  /// Asks the bus to start bluetoothd.
  package func startService() async throws(BlueZError) {
    try await send(Bus.call("StartServiceByName", [.string(Self.service), .uint32(0)]))
  }

  package func setPowered(_ powered: Bool, adapter: ObjectPath) async throws(BlueZError) {
    do {
      try await set(adapter, Interface.adapter, "Powered", .boolean(powered))
    } catch {
      // When the radio is blocked, BlueZ answers only `Failed`; the kernel says why.
      let view = kernelView
      if view != state.kernel {
        state.kernel = view
        publish()
      }
      throw error
    }
  }

  /// Starts to scan. Without a filter LE alternates with BR/EDR inquiry.
  package func startDiscovery(
    adapter: ObjectPath,
    filter: DiscoveryFilter
  ) async throws(BlueZError) {
    var options: [String: Value] = [:]
    if case .lowEnergy(let prefix) = filter {
      options["Transport"] = .string("le")
      if let prefix { options["Pattern"] = .string(prefix) }
    }
    try await call(adapter, Interface.adapter, "SetDiscoveryFilter", [.properties(options)])
    try await call(adapter, Interface.adapter, "StartDiscovery")
  }

  package func stopDiscovery(adapter: ObjectPath) async throws(BlueZError) {
    try await call(adapter, Interface.adapter, "StopDiscovery")
  }

  /// A trusted device's object outlives a disconnect; others vanish 30 s after it.
  package func trust(_ device: ObjectPath) async throws(BlueZError) {
    try await set(device, Interface.device, "Trusted", .boolean(true))
  }

  package func connect(_ device: ObjectPath) async throws(BlueZError) {
    try await call(device, Interface.device, "Connect")
  }

  package func disconnect(_ device: ObjectPath) async throws(BlueZError) {
    try await call(device, Interface.device, "Disconnect")
  }

  /// Removes a device and its cached GATT table.
  package func removeDevice(
    _ device: ObjectPath,
    adapter: ObjectPath
  ) async throws(BlueZError) {
    try await call(adapter, Interface.adapter, "RemoveDevice", [.objectPath(device)])
  }

  /// - Returns: the receipt number of the answer.
  @discardableResult
  package func write(
    _ bytes: [UInt8],
    to characteristic: ObjectPath,
    mode: WriteMode
  ) async throws(BlueZError) -> UInt64 {
    try await call(
      characteristic,
      Interface.characteristic,
      "WriteValue",
      [.bytes(bytes), .properties(["type": .string(mode.rawValue)])]
    ).sequence
  }

  /// Begins to pass on the values that a characteristic notifies, until the next device is observed.
  package func startNotify(_ characteristic: ObjectPath) async throws(BlueZError) {
    let rules = Self.rules(for: scope) + [Self.changes(of: characteristic)]
    let call = MethodCall(
      destination: Self.service,
      path: characteristic,
      interface: Interface.characteristic,
      member: "StartNotify"
    )
    notifying = characteristic
    let answer: Result<Reply, DBusError>
    do throws(DBusError) { answer = try await connection.setRules(rules, asking: call) } catch {
      throw BlueZError(error)
    }
    _ = try answer.mapError { BlueZError($0) }.get()
  }

  private static let nameOwner = Bus.call("GetNameOwner", [.string(service)])

  private static let allObjects = MethodCall(
    destination: service,
    path: .root,
    interface: Interface.objectManager,
    member: "GetManagedObjects"
  )

  private func set(
    _ path: ObjectPath,
    _ interface: String,
    _ property: String,
    _ value: Value
  ) async throws(BlueZError) {
    try await call(
      path,
      Interface.properties,
      "Set",
      [.string(interface), .string(property), .variant(value)]
    )
  }

  @discardableResult
  private func call(
    _ path: ObjectPath,
    _ interface: String,
    _ member: String,
    _ arguments: [Value] = []
  ) async throws(BlueZError) -> Reply {
    try await send(
      MethodCall(
        destination: Self.service,
        path: path,
        interface: interface,
        member: member,
        arguments: arguments
      )
    )
  }

  @discardableResult
  private func send(
    _ call: MethodCall,
    onReply: (@Sendable (Reply) -> Void)? = nil
  ) async throws(BlueZError) -> Reply {
    do {
      return try await connection.call(call, onReply: onReply)
    } catch {
      throw BlueZError(error)
    }
  }
}

extension Signal {
  /// The value of a characteristic that has changed.
  fileprivate var notifiedValue: [UInt8]? {
    guard interface == Interface.properties, member == "PropertiesChanged",
      arguments.first?.string == Interface.characteristic, arguments.count == 3
    else { return nil }
    return arguments[1].properties?["Value"]?.bytes
  }
}
