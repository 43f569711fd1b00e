import DBus

// The objects on the bus and how long they live.
extension Daemon {
  /// What a start of bluetoothd exports: the manager, the adapters and the stored devices.
  mutating func exportEverything(silently: Bool) {
    if isMarked { exportMark(silently: silently) }
    for adapter in pluggedIn.values.sorted(by: { $0.name < $1.name }) {
      export(adapter, silently: silently)
    }
    if !silently { rearmFlood() }
  }

  private mutating func exportMark(silently: Bool) {
    let simulation = ObjectInterface(
      name: BlueZInterface.simulation,
      properties: ["Simulated": .boolean(true)]
    )
    outbox.append(.add(.bluez, [simulation], silently: silently))
  }

  mutating func setMark(_ isMarked: Bool) {
    guard isMarked != self.isMarked else { return }
    self.isMarked = isMarked
    guard isUp else { return }
    if isMarked { exportMark(silently: false) } else { outbox.append(.remove(.bluez)) }
  }

  mutating func export(_ adapter: MockAdapter, silently: Bool) {
    adapters[adapter.name] = Adapter(
      address: adapter.address,
      roles: adapter.roles,
      isDualMode: adapter.isDualMode,
      isPowered: adapter.isPowered
    )
    outbox.append(
      .add(
        .adapter(adapter.name),
        [
          ObjectInterface(
            name: BlueZInterface.adapter,
            properties: properties(ofAdapter: adapter.name)
          )
        ],
        silently: silently
      )
    )
    for (address, stored) in (storage[adapter.address] ?? [:]).sorted(by: { $0.key < $1.key }) {
      var device = Device(addressType: stored.addressType, name: stored.name)
      device.alias = stored.alias
      device.resolvedUUIDs = stored.uuids
      device.isPaired = stored.isPaired
      device.isTrusted = stored.isTrusted
      device.isTemporary = false
      export(DeviceID(adapter: adapter.name, address: address), device, silently: silently)
    }
  }

  mutating func export(_ id: DeviceID, _ device: Device, silently: Bool) {
    devices[id] = device
    var interfaces = [
      ObjectInterface(name: BlueZInterface.device, properties: properties(of: id, device))
    ]
    if version.hasBearers {
      interfaces.append(ObjectInterface(name: BlueZInterface.bearer, properties: [:]))
    }
    outbox.append(.add(id.path, interfaces, silently: silently))
    publish(.appeared(machine: id.address, adapterName: id.adapter))
  }

  /// Removes a device's objects, children first. Calls that are pending on it are never answered.
  mutating func remove(_ id: DeviceID) {
    guard let device = devices[id] else { return }
    exportLate(id)
    if let attempt = device.attempt { abandon(attempt.call) }
    for request in device.link?.requests ?? [] { abandon(request.call) }
    for ending in device.endings { abandon(ending.call) }
    if device.link != nil { release(id) }
    unexport(device.exported?.services ?? [], of: id)
    outbox.append(.remove(id.path))
    devices[id] = nil
    cancelAlarms(of: id)
    publish(.removed(machine: id.address, adapterName: id.adapter))
  }

  mutating func cancelAlarms(of id: DeviceID) {
    for alarm: Alarm in [
      .temporary(id), .attempt(id), .resolve(id), .disconnect(id), .supervision(id),
      .response(id), .attTimeout(id),
    ] {
      alarms.cancel(alarm)
    }
  }

  /// Adds services, parents first.
  mutating func export(_ services: [MockGATTTable.Service], of id: DeviceID) {
    for service in services {
      add(id.path(service), BlueZInterface.service, properties(of: service, id))
      for characteristic in service.characteristics {
        let path = id.path(service, characteristic)
        add(
          path,
          BlueZInterface.characteristic,
          properties(of: characteristic, in: service, id)
        )
        for descriptor in characteristic.descriptors {
          add(
            id.path(service, characteristic, descriptor),
            BlueZInterface.descriptor,
            properties(of: descriptor, at: path)
          )
        }
      }
    }
  }

  private mutating func add(
    _ path: ObjectPath,
    _ interface: String,
    _ properties: [String: Value]
  ) {
    let interface = ObjectInterface(name: interface, properties: properties)
    outbox.append(.add(path, [interface], silently: false))
  }

  /// Removes services, children first; requests that are pending on them are never answered.
  mutating func unexport(_ services: [MockGATTTable.Service], of id: DeviceID) {
    for service in services {
      for characteristic in service.characteristics {
        abandonRequests(on: characteristic.handle, of: id)
        endSubscriptions(with: nil) { $0.device == id && $0.handle == characteristic.handle }
        devices[id]?.notifySessions[characteristic.handle] = nil
        devices[id]?.notifying.remove(characteristic.handle)
        devices[id]?.values[characteristic.handle] = nil
        for descriptor in characteristic.descriptors {
          outbox.append(.remove(id.path(service, characteristic, descriptor)))
        }
        outbox.append(.remove(id.path(service, characteristic)))
      }
      outbox.append(.remove(id.path(service)))
    }
  }

  // MARK: Temporary devices

  /// Whether BlueZ keeps the device through a disconnect.
  func isKept(_ id: DeviceID) -> Bool {
    guard let device = devices[id] else { return false }
    return (device.isPaired || device.isTrusted) && !hasPrivateAddress(id)
  }

  func hasPrivateAddress(_ id: DeviceID) -> Bool {
    devices[id]?.addressType == .random && id.address.hasPrivatePrefix
  }

  /// The device goes when it isn't seen for a while from now on.
  mutating func restartTemporaryTimer(_ id: DeviceID) {
    guard let device = devices[id], device.isTemporary else { return }
    alarms.set(.temporary(id), at: now + timings.temporary)
  }

  mutating func makePermanent(_ id: DeviceID) {
    guard !hasPrivateAddress(id) else { return }
    devices[id]?.isTemporary = false
    alarms.cancel(.temporary(id))
  }

  mutating func makeTemporary(_ id: DeviceID) {
    guard devices[id] != nil, !isKept(id) else { return }
    devices[id]?.isTemporary = true
    restartTemporaryTimer(id)
  }

  /// Not seen for 30 s. (A device with a private address goes even while its Connect is pending:
  /// fixed in 5.69.)
  mutating func expire(_ id: DeviceID) {
    guard let device = devices[id], device.isTemporary else { return }
    if device.link != nil || device.attempt != nil && !version.forgetsPendingDevices {
      restartTemporaryTimer(id)
    } else {
      remove(id)
    }
  }

  // MARK: Storage

  mutating func remember(_ peripheral: MockPeripheral, on adapter: MockAddress) {
    guard peripheral.isPaired || peripheral.isTrusted, !peripheral.hasPrivateAddress else { return }
    storage[adapter, default: [:]][peripheral.address] = StoredDevice(
      addressType: peripheral.addressType,
      name: peripheral.gapName ?? peripheral.name,
      alias: nil,
      uuids: peripheral.table.resolvedUUIDs,
      isPaired: peripheral.isPaired,
      isTrusted: peripheral.isTrusted
    )
  }

  /// Writes or forgets what `/var/lib/bluetooth` knows of a device.
  mutating func store(_ id: DeviceID) {
    guard let adapter = adapters[id.adapter]?.address else { return }
    guard let device = devices[id], isKept(id) else {
      storage[adapter]?[id.address] = nil
      return
    }
    storage[adapter, default: [:]][id.address] = StoredDevice(
      addressType: device.addressType,
      name: device.name,
      alias: device.alias,
      uuids: device.resolvedUUIDs,
      isPaired: device.isPaired,
      isTrusted: device.isTrusted
    )
  }
}
