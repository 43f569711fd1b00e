import DBus

/// bluetoothd, in one of its versions, and the radio around it, as a value: calls, verbs and the time go in, effects
/// come out. It knows no bus and no clock.
///
/// A call is answered by a `reply` or `fail` effect with its id, at once or in a later step, or is
/// `abandon`ed where bluetoothd forgets it.
struct Daemon: Sendable {
  let version: MockVersion
  var timings: MockTimings
  var room: [MockAddress: Machine] = [:]
  var adapters: [String: Adapter] = [:]
  var devices: [DeviceID: Device] = [:]
  /// `/var/lib/bluetooth`: by the adapter's address, then the device's.
  var storage: [MockAddress: [MockAddress: StoredDevice]] = [:]
  var faults = FaultPlan()
  var flood = Flood()
  /// Calls that `delay` holds back.
  var heldCalls: [UInt64: Call] = [:]
  var commands: [UInt64: PendingCommand] = [:]
  var subscriptions: [UInt64: PendingSubscription] = [:]
  var notifications: [UInt64: PendingNotification] = [:]
  /// Whether bluetoothd owns its name.
  var isUp = true
  /// Whether its objects say that nothing here is real.
  var isMarked = true
  /// The adapters that come back with the next start of bluetoothd.
  var pluggedIn: [String: MockAdapter] = [:]
  /// The adapters that rfkill blocks.
  var blocked: Set<String> = []

  private(set) var now: Duration = .zero
  var alarms = Alarms()
  var outbox = Outbox()
  /// Numbers links and commands.
  var counter = 0

  init(_ model: MockModel, timings: MockTimings, version: MockVersion) {
    self.version = version
    self.timings = timings
    for peripheral in model.peripherals { enter(peripheral) }
    for adapter in model.adapters {
      pluggedIn[adapter.name] = adapter
      for peripheral in model.peripherals where peripheral.isInRange(of: adapter.name) {
        remember(peripheral, on: adapter.address)
      }
    }
  }

  // MARK: The funnel

  /// The objects that are there before the name is owned for the first time.
  mutating func start(at time: Duration) -> [Effect] {
    advance(to: time)
    exportEverything(silently: true)
    return outbox.drain()
  }

  mutating func call(_ call: Call, at time: Duration) -> [Effect] {
    advance(to: time)
    receive(call)
    return outbox.drain()
  }

  mutating func clientLeft(_ client: String, at time: Duration) -> [Effect] {
    advance(to: time)
    if isKnown(client) { alarms.set(.clientGone(client), at: now + timings.clientGone) }
    return outbox.drain()
  }

  /// What fell due until now happens even if the verb can't be done.
  mutating func perform(
    _ verb: MockVerb,
    at time: Duration
  ) -> (effects: [Effect], error: MockVerbError?) {
    advance(to: time)
    do throws(MockVerbError) {
      try apply(verb)
      return (outbox.drain(), nil)
    } catch {
      return (outbox.drain(), error)
    }
  }

  mutating func tick(at time: Duration) -> [Effect] {
    advance(to: time)
    return outbox.drain()
  }

  var nextDeadline: Duration? { alarms.nextDeadline }

  /// Lets everything happen that is due, each thing at its own time.
  private mutating func advance(to time: Duration) {
    while let (alarm, deadline) = alarms.popDue(at: time) {
      now = max(now, deadline)
      fire(alarm)
      // What happens at different times goes out in different signals.
      outbox.append(.flush)
    }
    now = max(now, time)
  }

  private mutating func fire(_ alarm: Alarm) {
    switch alarm {
    case .report(let id): report(id)
    case .temporary(let id): expire(id)
    case .attempt(let id): endAttempt(id)
    case .resolve(let id): resolve(id)
    case .gattObjects(let id): exportLate(id)
    case .disconnect(let id): finishDisconnect(id)
    case .supervision(let id): linkDown(id, .timeout)
    case .response(let id): respond(id)
    case .attTimeout(let id): attTimedOut(id)
    case .command(let number): deliverCommand(number)
    case .subscription(let number): finishSubscription(number)
    case .notification(let number): deliverNotification(number)
    case .garbage(let machine): sendGarbage(machine)
    case .held(let number):
      if let call = heldCalls.removeValue(forKey: number) { dispatch(call) }
    case .power(let adapter): finishPowerChange(adapter)
    case .discovery(let adapter, let client): finishDiscoveryChange(adapter, client)
    case .clientGone(let client): forget(client)
    case .advertise(let machine): startAdvertising(machine)
    case .comeUp: comeUp()
    case .objects: exportEverything(silently: false)
    case .flood: advertiseFlood()
    }
  }

  // MARK: Calls

  private mutating func receive(_ call: Call) {
    let target = Target(call.path)
    publish(
      .called(
        method: call.method,
        adapterName: target.adapter,
        machine: target.deviceID?.address,
        client: call.sender
      )
    )
    let name = call.method.hasPrefix("Set ") ? "Set" : call.method
    switch faults.strike(method: name) {
    case .failure(let error):
      fail(call, error)
      return
    case .hang:
      abandon(call)
      return
    case nil: break
    }
    if let delay = faults.delays[name] {
      heldCalls[call.id] = call
      alarms.set(.held(call.id), at: now + delay)
    } else {
      dispatch(call)
    }
  }

  private mutating func dispatch(_ call: Call) {
    switch (Target(call.path), call.method) {
    case (.adapter(let name), _) where adapters[name] != nil: adapterCall(call, name)
    case (.device(let id), _) where devices[id] != nil: deviceCall(call, id)
    case (.characteristic(let id, let handle), _)
    where devices[id]?.exported?.characteristic(handle) != nil:
      characteristicCall(call, id, handle)
    default:
      // The object went while the call was held.
      fail(call, DBusError(name: DBusError.unknownObject, message: "\(call.path) is gone"))
    }
  }

  private mutating func adapterCall(_ call: Call, _ name: String) {
    switch call.method {
    case "StartDiscovery": startDiscovery(call, name)
    case "StopDiscovery": stopDiscovery(call, name)
    case "SetDiscoveryFilter": setDiscoveryFilter(call, name)
    case "GetDiscoveryFilters": reply(call, [.strings(version.filterKeys)])
    case "RemoveDevice": removeDevice(call, name)
    case "Set Powered": setPowered(call, name)
    default: fail(call, BlueZFailure.notSupported)
    }
  }

  private mutating func deviceCall(_ call: Call, _ id: DeviceID) {
    switch call.method {
    case "Connect": connect(call, id)
    case "Disconnect": disconnect(call, id)
    case "Set Trusted": setTrusted(call, id)
    case "Set Alias": setAlias(call, id)
    default: fail(call, BlueZFailure.notSupported)
    }
  }

  private mutating func characteristicCall(_ call: Call, _ id: DeviceID, _ handle: UInt16) {
    switch call.method {
    case "WriteValue": writeValue(call, id, handle)
    case "ReadValue": readValue(call, id, handle)
    case "StartNotify": startNotify(call, id, handle)
    case "StopNotify": stopNotify(call, id, handle)
    default: fail(call, BlueZFailure.notSupported)
    }
  }

  // MARK: Effects

  mutating func publish(_ kind: MockEvent.Kind) { outbox.append(.publish(kind)) }

  mutating func reply(_ call: Call, _ values: [Value] = []) {
    outbox.append(.reply(call.id, values))
  }

  mutating func fail(_ call: Call, _ error: DBusError) { outbox.append(.fail(call.id, error)) }

  mutating func abandon(_ call: Call) { outbox.append(.abandon(call.id)) }

  mutating func change(_ id: DeviceID, _ changes: [String: Value?]) {
    outbox.change(id.path, BlueZInterface.device, changes)
  }

  mutating func change(adapter: String, _ changes: [String: Value?]) {
    outbox.change(.adapter(adapter), BlueZInterface.adapter, changes)
  }

  mutating func signal(_ path: ObjectPath, _ interface: String, _ member: String, _ texts: [String])
  {
    outbox.append(.signal(path, interface, member, texts))
  }

  mutating func nextNumber() -> Int {
    counter += 1
    return counter
  }
}

/// A verb that can't be done now.
package struct MockVerbError: Error, Hashable, Sendable, CustomStringConvertible {
  package var message: String

  package var description: String { message }

  init(_ message: String) { self.message = message }
}
