import DBus

// The machines in the room: what they advertise, and whether anything hears it.
extension Daemon {
  mutating func enter(_ peripheral: MockPeripheral) {
    let old = room[peripheral.address]
    room[peripheral.address] = Machine(
      peripheral: peripheral,
      isPresent: peripheral.isAdvertising,
      link: old?.link,
      received: old?.received ?? []
    )
  }

  mutating func vanish(_ address: MockAddress) {
    room[address]?.isPresent = false
    for id in ids(of: address) { alarms.cancel(.report(id)) }
    for id in ids(of: address) where devices[id]?.attempt?.end == .linkUp { awaitMachine(id) }
    if let id = room[address]?.link {
      devices[id]?.link?.isDead = true
      alarms.cancel(.response(id))
      alarms.cancel(.resolve(id))
      alarms.set(.supervision(id), at: now + timings.supervision)
    }
  }

  mutating func appear(_ address: MockAddress) {
    room[address]?.isPresent = true
    // A machine that was switched off and on has forgotten its link.
    if let id = room[address]?.link, devices[id]?.link?.isDead == true {
      room[address]?.link = nil
    }
    startAdvertising(address)
  }

  /// The machine begins to advertise: scanning adapters and pending Connects hear it.
  mutating func startAdvertising(_ address: MockAddress) {
    room[address]?.isPausing = false
    for adapter in adapters.keys.sorted() { listen(to: address, on: adapter) }
    for id in ids(of: address) {
      if devices[id]?.attempt?.end == .givingUp, isHeard(id) {
        devices[id]?.attempt?.end = .linkUp
        alarms.set(.attempt(id), at: now + timings.connect)
      }
    }
  }

  /// Schedules the first report of a machine on an adapter that scans.
  mutating func listen(to address: MockAddress, on adapter: String) {
    let id = DeviceID(adapter: adapter, address: address)
    guard adapters[adapter]?.isDiscovering == true, isHeard(id) else { return }
    alarms.set(.report(id), at: now + timings.firstReport)
  }

  /// Whether the adapter could hear this machine's advertisements.
  func isHeard(_ id: DeviceID) -> Bool {
    guard let machine = room[id.address], let adapter = adapters[id.adapter] else { return false }
    // An adapter that is going off has ended its scan (`hci_power_off_sync` in net/bluetooth).
    return adapter.isPowered && adapter.powerChange == nil && machine.isAdvertising
      && machine.peripheral.isInRange(of: id.adapter)
  }

  /// The IDs of this machine as all adapters see it, in a steady order.
  func ids(of address: MockAddress) -> [DeviceID] {
    adapters.keys.sorted().map { DeviceID(adapter: $0, address: address) }
  }

  mutating func report(_ id: DeviceID) {
    guard adapters[id.adapter]?.isDiscovering == true, isHeard(id),
      let peripheral = room[id.address]?.peripheral
    else { return }
    // The wobble of a real signal, so that each report changes something.
    let wobble: Int16 = devices[id]?.rssi == peripheral.rssi ? 1 : 0
    hear(
      Advertisement(
        address: peripheral.address,
        addressType: peripheral.addressType,
        name: peripheral.name,
        uuids: peripheral.advertisedUUIDs,
        manufacturerData: peripheral.manufacturerData,
        rssi: peripheral.rssi + wobble,
        isConnectable: peripheral.isConnectable
      ),
      on: id.adapter
    )
    alarms.set(.report(id), at: now + timings.reportInterval)
  }

  /// An advertisement reaches bluetoothd (`adapter.c:btd_adapter_device_found`).
  mutating func hear(_ advertisement: Advertisement, on adapterName: String) {
    guard let adapter = adapters[adapterName] else { return }
    let filters = adapter.clients.values.filter(\.isScanning).map(\.filter)
    let isFiltered = !filters.contains(nil)
    guard !isFiltered || filters.contains(where: { $0?.accepts(advertisement) == true }) else {
      return
    }
    let id = DeviceID(adapter: adapterName, address: advertisement.address)
    guard devices[id] != nil else {
      // `device_is_discoverable`: one client's Pattern decides for all.
      let patterns = filters.compactMap { $0?.pattern }
      let ignoresCase = version.ignoresCaseOfAddresses
      guard
        patterns.isEmpty
          || patterns.contains(where: { advertisement.hasPrefix($0, ignoringCase: ignoresCase) })
      else { return }
      var device = Device(
        addressType: advertisement.addressType,
        name: advertisement.name,
        advertisedUUIDs: advertisement.uuids
      )
      device.manufacturerData = advertisement.manufacturerData
      device.rssi = advertisement.rssi
      device.isConnectable = advertisement.isConnectable
      export(id, device, silently: false)
      restartTemporaryTimer(id)
      return
    }
    update(id, advertisement, isFiltered: isFiltered)
    restartTemporaryTimer(id)
  }

  private mutating func update(
    _ id: DeviceID,
    _ advertisement: Advertisement,
    isFiltered: Bool
  ) {
    guard var device = devices[id] else { return }
    // Without a filter only a change of 8 dB counts (`device_set_rssi` in src/device.c).
    let threshold: Int16 = isFiltered ? 0 : 8
    if device.rssi.map({ abs($0 - advertisement.rssi) >= threshold }) ?? true {
      device.rssi = advertisement.rssi
      change(id, ["RSSI": .int16(advertisement.rssi)])
    }
    if !device.ignoresAdvertisedUUIDs, device.advertisedUUIDs != advertisement.uuids {
      device.advertisedUUIDs = advertisement.uuids
      change(id, ["UUIDs": uuids(device)])
    }
    if device.manufacturerData != advertisement.manufacturerData {
      device.manufacturerData = advertisement.manufacturerData
      change(id, ["ManufacturerData": manufacturerData(device)])
    }
    // The GAP name of a device that was connected gives way to a new advertised name.
    if let name = advertisement.name, device.name == nil {
      device.name = name
      change(id, ["Name": .string(name), "Alias": .string(alias(of: id, device))])
    }
    devices[id] = device
  }
}
