import DBus

extension Daemon {
  /// Does a verb. (Waiting, help and the end are the caller's.)
  mutating func apply(_ verb: MockVerb) throws(MockVerbError) {
    switch verb {
    case .machine(let peripheral):
      try checkRoomFor(peripheral)
      enter(peripheral)
      if peripheral.isAdvertising { startAdvertising(peripheral.address) }
    case .vanish(let machine): vanish(try find(machine))
    case .appear(let machine): appear(try find(machine))
    case .newAddress(let machine, let address): try move(find(machine), to: address)
    case .addAdapter(let adapter):
      guard pluggedIn[adapter.name] == nil else {
        throw MockVerbError("there is a \(adapter.name) already")
      }
      if let other = pluggedIn.values.first(where: { $0.address == adapter.address }) {
        throw MockVerbError("\(other.name) has the address \(adapter.address)")
      }
      plugIn(adapter)
    case .removeAdapter(let name, let answer):
      try checkAdapter(name)
      unplug(name, answer)
    case .power(let name, let power):
      try checkAdapter(name)
      switchPower(name, power)
    case .advertiseFlood(let perSecond): try setFlood(perSecond)
    case .drop(let machine): linkDown(try findLink(machine), .remote)
    case .coalesceDrop(let machine): coalesceDrop(try findLink(machine))
    case .link(let machine, let adapter): try link(find(machine), on: adapter)
    case .removeObject(let machine):
      for id in ids(of: try find(machine)) { remove(id) }
    case .pair(let machine, let isPaired):
      let address = try find(machine)
      room[address]?.peripheral.isPaired = isPaired
      for id in ids(of: address) { setPaired(id, isPaired) }
    case .changeTable(let machine, let profile, let silently):
      let address = try find(machine)
      let encoding = room[address]?.peripheral.encoding ?? .digits
      room[address]?.peripheral.table = profile.table(in: encoding)
      room[address]?.hidesTable = silently
      if !silently, let id = room[address]?.link { changeTable(id) }
    case .notify(let machine, let text): notify(try findLink(machine), Array(text.utf8))
    case .notifyBytes(let machine, let bytes): notify(try findLink(machine), bytes)
    case .garbage(let machine, let seed, let interval, let times):
      setGarbage(
        Garbage(seed: seed, interval: interval, times: times),
        of: try find(machine)
      )
    case .timing(let name, let duration):
      for (key, path) in MockTimings.fields where key == name {
        timings[keyPath: path] = duration
      }
    case .down, .restart:
      guard isUp else { throw MockVerbError("bluetoothd is down already") }
      goDown()
      if case .restart(let downFor) = verb { alarms.set(.comeUp, at: now + downFor) }
    case .up:
      guard !isUp else { throw MockVerbError("bluetoothd is up already") }
      alarms.cancel(.comeUp)
      comeUp()
    case .mark(let isMarked): setMark(isMarked)
    case .wait, .help, .quit: break
    case .fault(let machine, let fault, let times): faults.add(fault, times, to: try find(machine))
    case .failMethod(let method, let error, let times):
      faults.add(.failure(error), times, to: method)
    case .hangMethod(let method, let times): faults.add(.hang, times, to: method)
    case .delayMethod(let method, let delay):
      faults.delays[method] = delay == .zero ? nil : delay
    case .clearFaults(let machine?):
      let address = try find(machine)
      faults.clear(address)
      setGarbage(nil, of: address)
    case .clearFaults(nil):
      faults.clear(nil)
      for address in room.keys { setGarbage(nil, of: address) }
    }
    publish(.verb(verb.name))
  }

  // MARK: Names

  private func find(_ machine: String) throws(MockVerbError) -> MockAddress {
    if let address = MockAddress(machine) {
      guard room[address] != nil else { throw MockVerbError("there is no machine \(address)") }
      return address
    }
    let named = room.values.filter { $0.peripheral.name == machine }.map(\.peripheral.address)
    switch named.count {
    case 0: throw MockVerbError("there is no machine \"\(machine)\"")
    case 1: return named[0]
    default:
      let all = named.sorted().map(\.string).joined(separator: " and ")
      throw MockVerbError("\"\(machine)\" is the name of \(all): give its address")
    }
  }

  private func findLink(_ machine: String) throws(MockVerbError) -> DeviceID {
    let address = try find(machine)
    guard let id = room[address]?.link else { throw MockVerbError("\(address) is not connected") }
    return id
  }

  private func checkAdapter(_ name: String) throws(MockVerbError) {
    guard pluggedIn[name] != nil else { throw MockVerbError("there is no \(name)") }
  }

  private func checkRoomFor(_ peripheral: MockPeripheral) throws(MockVerbError) {
    guard room[peripheral.address]?.link == nil else {
      throw MockVerbError("\(peripheral.address) is connected: drop it first")
    }
  }

  // MARK: Larger verbs

  private mutating func move(
    _ old: MockAddress,
    to new: MockAddress
  ) throws(MockVerbError) {
    guard room[new] == nil else { throw MockVerbError("there is a machine \(new) already") }
    if let id = room[old]?.link { linkDown(id, .remote) }
    for id in ids(of: old) {
      alarms.cancel(.report(id))
      if devices[id]?.attempt?.end == .linkUp { awaitMachine(id) }
    }
    alarms.cancel(.advertise(old))
    guard var machine = room.removeValue(forKey: old) else { return }
    machine.peripheral.address = new
    room[new] = machine
    faults.move(from: old, to: new)
    alarms.cancel(.garbage(old))
    setGarbage(machine.garbage, of: new)
    if machine.isPresent { startAdvertising(new) }
  }

  /// A link that no client of now made: resolved, with its GATT objects.
  private mutating func link(
    _ address: MockAddress,
    on name: String?
  ) throws(MockVerbError) {
    if let name { try checkAdapter(name) }
    let heard = ids(of: address).filter { isHeard($0) && ($0.adapter == name || name == nil) }
    guard let id = heard.first, let peripheral = room[address]?.peripheral else {
      throw MockVerbError("no powered adapter hears \(address)")
    }
    if devices[id] == nil {
      var device = Device(
        addressType: peripheral.addressType,
        name: peripheral.name,
        advertisedUUIDs: peripheral.advertisedUUIDs
      )
      device.isPaired = peripheral.isPaired
      export(id, device, silently: false)
    }
    cancelAttempt(id, answer: { .success(()) })
    makePermanent(id)
    linkUp(id, answering: nil)
    alarms.cancel(.resolve(id))
    resolve(id)
  }
}
