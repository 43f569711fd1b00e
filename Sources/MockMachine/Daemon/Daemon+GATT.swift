import DBus

// Operations on a characteristic (src/gatt-client.c).
extension Daemon {
  /// Takes a write, with its checks in the order of `gatt-client.c:characteristic_write_value`.
  mutating func writeValue(_ call: Call, _ id: DeviceID, _ handle: UInt16) {
    guard let link = devices[id]?.link else {
      fail(call, BlueZFailure.gattNotConnected)
      return
    }
    if let error = writeFailure(id) {
      fail(call, error)
      return
    }
    // Before the type is looked at: a command waits for a pending request too.
    guard !link.requests.contains(where: { $0.handle == handle }) else {
      fail(call, BlueZFailure.inProgress)
      return
    }
    guard call.arguments.count == 2, let value = call.arguments[0].bytes,
      let options = WriteOptions(call.arguments[1].properties ?? [:]),
      let characteristic = devices[id]?.exported?.characteristic(handle)
    else {
      fail(call, BlueZFailure.invalidArguments)
      return
    }
    if version.exportsClaimed, devices[id]?.exported?.isClaimed(handle) == true {
      fail(call, BlueZFailure.notAuthorized)
      return
    }
    let payload = Int(room[id.address]?.peripheral.mtu ?? 23) - 3
    switch options.form(for: characteristic) {
    case nil: fail(call, BlueZFailure.notSupported)
    case .command:
      guard options.offset == 0, value.count <= payload else {
        fail(call, BlueZFailure.writeNotInitiated)
        return
      }
      send(PendingCommand(device: id, generation: link.generation, handle: handle, value: value))
      reply(call)
    case .request where value.count <= payload && options.offset == 0:
      enqueue(WriteRequest(call: call, handle: handle, value: value, form: .request), id)
    case .request, .long:
      enqueue(WriteRequest(call: call, handle: handle, value: value, form: .long), id)
    }
  }

  private mutating func writeFailure(_ id: DeviceID) -> DBusError? {
    faults.strike(id.address) { kind in
      if case .failWrites(let error) = kind { error } else { nil }
    }
  }

  // MARK: Requests

  private mutating func enqueue(_ request: WriteRequest, _ id: DeviceID) {
    devices[id]?.link?.requests.append(request)
    if devices[id]?.link?.requests.count == 1 { startRequest(id) }
  }

  private mutating func startRequest(_ id: DeviceID) {
    guard let link = devices[id]?.link, !link.requests.isEmpty else { return }
    alarms.set(.attTimeout(id), at: now + timings.attTimeout)
    if !link.isDead { alarms.set(.response(id), at: now + timings.writeRoundTrip) }
  }

  /// The first request reaches the machine, and its response comes back.
  mutating func respond(_ id: DeviceID) {
    guard let request = devices[id]?.link?.requests.first else { return }
    let fault = faults.strike(id.address) { kind in
      switch kind {
      case .hangWrites, .drop(.writing): kind
      default: nil
      }
    }
    if fault == .hangWrites(lost: true) { return }
    let error = deliver(request.value, to: request.handle, request.form, id)
    if case .hangWrites = fault { return }
    if fault == .drop(.writing) {
      linkDown(id, .remote)
      return
    }
    devices[id]?.link?.requests.removeFirst()
    alarms.cancel(.attTimeout(id))
    if let error {
      fail(request.call, error)
    } else {
      reply(request.call)
    }
    startRequest(id)
  }

  /// A characteristic's object goes: its requests are cancelled without a reply.
  mutating func abandonRequests(on handle: UInt16, of id: DeviceID) {
    guard let requests = devices[id]?.link?.requests else { return }
    let isFirst = requests.first?.handle == handle
    for request in requests where request.handle == handle { abandon(request.call) }
    devices[id]?.link?.requests.removeAll { $0.handle == handle }
    guard isFirst else { return }
    alarms.cancel(.response(id))
    alarms.cancel(.attTimeout(id))
    startRequest(id)
  }

  // MARK: Commands

  private mutating func send(_ command: PendingCommand) {
    let number = UInt64(nextNumber())
    commands[number] = command
    alarms.set(.command(number), at: now + timings.commandDelivery)
  }

  /// A command that meets no link is lost silently.
  mutating func deliverCommand(_ number: UInt64) {
    guard let command = commands.removeValue(forKey: number),
      let link = devices[command.device]?.link, link.generation == command.generation,
      !link.isDead
    else { return }
    _ = deliver(command.value, to: command.handle, .command, command.device)
  }

  /// What the machine makes of a write. Its own table decides, whatever BlueZ believes.
  private mutating func deliver(
    _ value: [UInt8],
    to handle: UInt16,
    _ form: MockWrite.Form,
    _ id: DeviceID
  ) -> DBusError? {
    guard let peripheral = room[id.address]?.peripheral,
      let characteristic = peripheral.table.characteristic(handle)
    else { return BlueZFailure.att(0x01) }
    let flag = form == .command ? "write-without-response" : "write"
    guard characteristic.flags.contains(flag) else { return BlueZFailure.writeNotPermitted }
    if characteristic.flags.contains(MockGATTTable.Characteristic.encryptWrite),
      devices[id]?.isPaired != true
    {
      return BlueZFailure.notPaired
    }
    // The longest attribute value. Source: Bluetooth Core 5.4, Vol 3, Part F, 3.2.9.
    guard value.count <= 512 else { return BlueZFailure.invalidLength }
    var write = MockWrite(characteristic: characteristic.uuid, value: value, form: form)
    var frame: MockFrame?
    if peripheral.encoding == .framed, peripheral.table.writable.contains(characteristic) {
      frame = MockFrame(value, peripheral.checkByte)
      write.text = frame?.text
    }
    room[id.address]?.received.append(write)
    room[id.address]?.values[handle] = value
    publish(.write(write, machine: id.address))
    if let frame { answer(frame, id) }
    return nil
  }

  // MARK: Reading

  mutating func readValue(_ call: Call, _ id: DeviceID, _ handle: UInt16) {
    guard devices[id]?.link != nil else {
      fail(call, BlueZFailure.gattNotConnected)
      return
    }
    guard let characteristic = devices[id]?.exported?.characteristic(handle),
      characteristic.flags.contains("read")
    else {
      fail(call, BlueZFailure.readNotPermitted)
      return
    }
    let value = room[id.address]?.values[handle] ?? Array("mock".utf8)
    showValue(value, id, handle)
    reply(call, [.bytes(value)])
  }

  mutating func showValue(_ value: [UInt8], _ id: DeviceID, _ handle: UInt16) {
    devices[id]?.values[handle] = value
    show(["Value": .bytes(value)], id, handle)
  }

  mutating func show(_ changes: [String: Value?], _ id: DeviceID, _ handle: UInt16) {
    for service in devices[id]?.exported?.services ?? [] {
      for characteristic in service.characteristics where characteristic.handle == handle {
        outbox.change(id.path(service, characteristic), BlueZInterface.characteristic, changes)
      }
    }
  }
}

/// The options of WriteValue that bluetoothd looks at (`gatt-client.c:parse_options`).
private struct WriteOptions {
  var offset: UInt16 = 0
  var type: String?

  /// nil when an option has the wrong type.
  init?(_ properties: [String: Value]) {
    if let value = properties["offset"] {
      guard let offset = value.uint16 else { return nil }
      self.offset = offset
    }
    if let value = properties["type"] {
      guard let type = value.string else { return nil }
      self.type = type.lowercased()
    }
  }

  /// A given type is not checked against Flags; without one Flags decide. nil: not supported.
  func form(for characteristic: MockGATTTable.Characteristic) -> MockWrite.Form? {
    switch type {
    case "request": .request
    case "command": .command
    case "reliable": .long
    case nil where characteristic.flags.contains("write"): .request
    case nil where characteristic.flags.contains("write-without-response"): .command
    default: nil
    }
  }
}
