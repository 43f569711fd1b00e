import DBus

// The life of a link: up, services resolved, down (src/device.c). The order of signals is
// the one observed on each version.
extension Daemon {
  mutating func linkUp(_ id: DeviceID, answering call: Call?) {
    for other in ids(of: id.address) { alarms.cancel(.report(other)) }
    room[id.address]?.link = id
    var link = Link(generation: nextNumber())
    link.resolution = planResolution(id)
    devices[id]?.link = link
    devices[id]?.isConnected = true
    devices[id]?.ignoresAdvertisedUUIDs = false
    publish(.connected(machine: id.address, adapterName: id.adapter))
    let isOmitted = faults.strike(id.address) { $0 == .omitConnectedSignal ? true : nil }
    if isOmitted == true {
      let changes: [String: Value?] = ["Connected": .boolean(true)]
      outbox.append(.change(id.path, BlueZInterface.device, changes, silently: true))
    } else {
      change(id, ["Connected": .boolean(true)])
    }
    if let call { reply(call) }
    switch link.resolution {
    case .success, .failure:
      alarms.set(.resolve(id), at: now + timings.resolve + renewalTime(id))
    case .loss: alarms.set(.resolve(id), at: now + timings.resolve / 2)
    case .silence: alarms.set(.attTimeout(id), at: now + timings.attTimeout)
    }
  }

  private mutating func planResolution(_ id: DeviceID) -> Link.Resolution {
    faults.strike(id.address) { kind in
      switch kind {
      case .resolveFails: .failure
      case .resolveHangs: .silence
      case .drop(.resolving): .loss
      default: nil
      }
    } ?? .success
  }

  mutating func resolve(_ id: DeviceID) {
    guard let device = devices[id], let link = device.link, let machine = room[id.address] else {
      return
    }
    guard link.resolution != .loss else {
      linkDown(id, .remote)
      return
    }
    renewSubscriptions(id)
    devices[id]?.isResolved = true
    makePermanent(id)
    publish(.resolved(machine: id.address, adapterName: id.adapter))
    var changes: [String: Value?] = ["ServicesResolved": .boolean(true)]
    guard link.resolution == .success else {
      // Discovery failed while the link stays: the property is set all the same.
      change(id, changes)
      return
    }
    // The GAP name replaces the advertised one.
    if let name = machine.peripheral.gapName, name != device.name {
      devices[id]?.name = name
      changes["Name"] = .string(name)
      if device.alias == nil { changes["Alias"] = .string(name) }
    }
    let stale = machine.hidesTable ? device.exported : nil
    let added = replaceTable(id, with: stale ?? machine.peripheral.table.exported(by: version))
    // What was advertised counts no longer once the services are known.
    devices[id]?.advertisedUUIDs = []
    if let new = devices[id], new.uuids != device.uuids { changes["UUIDs"] = uuids(new) }
    devices[id]?.late = added
    if timings.objectsAfterResolve > .zero {
      alarms.set(.gattObjects(id), at: now + timings.objectsAfterResolve)
    } else {
      exportLate(id)
    }
    change(id, changes)
    store(id)
  }

  mutating func exportLate(_ id: DeviceID) {
    alarms.cancel(.gattObjects(id))
    guard let late = devices[id]?.late, !late.isEmpty else { return }
    devices[id]?.late = []
    export(late, of: id)
  }

  /// Takes a table into the cache and removes the objects that it doesn't have. Returns the services
  /// whose objects are to be added.
  private mutating func replaceTable(
    _ id: DeviceID,
    with table: MockGATTTable
  ) -> [MockGATTTable.Service] {
    exportLate(id)
    let old = devices[id]?.exported?.services ?? []
    unexport(old.filter { !table.services.contains($0) }, of: id)
    devices[id]?.exported = table
    devices[id]?.resolvedUUIDs = table.resolvedUUIDs
    for service in old where table.services.contains(service) {
      for characteristic in service.characteristics {
        let path = id.path(service, characteristic)
        // Nothing signals it.
        let mtu: [String: Value?] = ["MTU": mtu(of: id.address)]
        outbox.append(.change(path, BlueZInterface.characteristic, mtu, silently: true))
      }
    }
    return table.services.filter { !old.contains($0) }
  }

  /// Service Changed on a live link: ServicesResolved does not toggle. UUIDs are signalled without what
  /// went, and again with what came.
  mutating func changeTable(_ id: DeviceID) {
    guard let device = devices[id], device.isResolved, let machine = room[id.address] else {
      return
    }
    let table = machine.peripheral.table.exported(by: version)
    let kept = (device.exported?.services ?? []).filter(table.services.contains)
    _ = replaceTable(id, with: MockGATTTable(services: kept))
    signalUUIDs(id, since: device)
    outbox.append(.flush)
    let shrunk = devices[id] ?? device
    let added = replaceTable(id, with: table)
    signalUUIDs(id, since: shrunk)
    export(added, of: id)
    store(id)
  }

  private mutating func signalUUIDs(_ id: DeviceID, since old: Device) {
    if let new = devices[id], new.uuids != old.uuids { change(id, ["UUIDs": uuids(new)]) }
  }

  mutating func linkDown(_ id: DeviceID, _ reason: MockLoss) {
    guard let device = devices[id], let link = device.link else { return }
    exportLate(id)
    release(id)
    for alarm: Alarm in [
      .resolve(id), .response(id), .attTimeout(id), .supervision(id), .disconnect(id),
    ] {
      alarms.cancel(alarm)
    }
    devices[id]?.link = nil
    if device.isResolved {
      devices[id]?.isResolved = false
      change(id, ["ServicesResolved": .boolean(false)])
    } else {
      dropAdvertisedUUIDs(id)
    }
    // On 5.66 callers that asked for it are answered between the two signals; otherwise they are one.
    if version.answersBeforeTheEnd { answerEndings(id) }
    tellWhy(id, link.isClosedByUs ? .local : reason)
    devices[id]?.isConnected = false
    change(id, ["Connected": .boolean(false)])
    answerEndings(id)
    for request in link.requests { fail(request.call, BlueZFailure.att(0x0e)) }
    endSubscriptions(with: BlueZFailure.att(0x0e)) { $0.device == id }
    forgetMTU(id)
    publish(.disconnected(machine: id.address, adapterName: id.adapter, cause: reason))
    if device.endings.contains(where: \.removes) {
      devices[id]?.isPaired = false
      devices[id]?.isTrusted = false
      store(id)
      remove(id)
    } else {
      makeTemporary(id)
    }
  }

  private mutating func answerEndings(_ id: DeviceID) {
    for ending in devices[id]?.endings ?? [] { reply(ending.call) }
    devices[id]?.endings = []
  }

  /// The bearer's signal, then the device's (`device_remove_connection` in src/device.c).
  private mutating func tellWhy(_ id: DeviceID, _ reason: MockLoss) {
    guard version.tellsWhy, let (name, message) = reason.told else { return }
    for interface in [BlueZInterface.bearer, BlueZInterface.device] {
      signal(id.path, interface, "Disconnected", ["org.bluez.Reason.\(name)", message])
    }
  }

  /// Services count as resolved after a link that ended too early, and no signal says so
  /// (`device_svc_resolved` in src/device.c).
  private mutating func dropAdvertisedUUIDs(_ id: DeviceID) {
    devices[id]?.ignoresAdvertisedUUIDs = true
    devices[id]?.advertisedUUIDs = []
    guard let device = devices[id] else { return }
    let changes: [String: Value?] = ["UUIDs": uuids(device)]
    outbox.append(.change(id.path, BlueZInterface.device, changes, silently: true))
  }

  /// An ATT request was not answered in time: what was discovered so far must do, and soon BlueZ ends
  /// the link. Observed: 2.0–2.1 s later.
  mutating func attTimedOut(_ id: DeviceID) {
    guard let link = devices[id]?.link else { return }
    for request in link.requests { fail(request.call, BlueZFailure.att(0x0e)) }
    devices[id]?.link?.requests = []
    alarms.cancel(.response(id))
    if link.resolution == .silence {
      devices[id]?.isResolved = true
      change(id, ["ServicesResolved": .boolean(true)])
    }
    devices[id]?.link?.isClosedByUs = true
    alarms.set(.supervision(id), at: now + timings.disconnect)
  }

  /// Down and up again before gdbus sends its signals: one signal with both levels.
  mutating func coalesceDrop(_ id: DeviceID) {
    for request in devices[id]?.link?.requests ?? [] { fail(request.call, BlueZFailure.att(0x0e)) }
    endSubscriptions(with: BlueZFailure.att(0x0e)) { $0.device == id }
    for alarm: Alarm in [.response(id), .attTimeout(id)] { alarms.cancel(alarm) }
    let link = Link(generation: nextNumber())
    devices[id]?.link = link
    devices[id]?.isResolved = false
    publish(.disconnected(machine: id.address, adapterName: id.adapter, cause: .remote))
    publish(.connected(machine: id.address, adapterName: id.adapter))
    change(id, ["ServicesResolved": .boolean(false), "Connected": .boolean(true)])
    alarms.set(.resolve(id), at: now + timings.resolve)
  }

  /// The machine is free again and soon advertises.
  mutating func release(_ id: DeviceID, after delay: Duration? = nil) {
    guard room[id.address]?.link == id else { return }
    room[id.address]?.link = nil
    guard room[id.address]?.isPresent == true else { return }
    room[id.address]?.isPausing = true
    alarms.set(.advertise(id.address), at: now + (delay ?? timings.advertiseAgain))
  }

  /// `MTU` exists only while the GATT client does; nothing signals its end.
  private mutating func forgetMTU(_ id: DeviceID) {
    for service in devices[id]?.exported?.services ?? [] {
      for characteristic in service.characteristics {
        let changes: [String: Value?] = ["MTU": nil]
        let path = id.path(service, characteristic)
        outbox.append(.change(path, BlueZInterface.characteristic, changes, silently: true))
      }
    }
  }
}

extension MockLoss {
  /// What `Disconnected` says of it; nil where no signal tells of the link's end.
  ///
  /// Source: BlueZ src/device.c, `device_disconnected`. What the kernel reports of a link that was never
  /// established is a guess.
  fileprivate var told: (name: String, message: String)? {
    switch self {
    case .local, .adapterOff: ("Local", "Connection terminated by local host")
    case .remote: ("Remote", "Connection terminated by remote user")
    case .timeout: ("Timeout", "Connection timeout")
    case .adapterGone, .failedToEstablish: ("Unknown", "Unspecified")
    case .daemonGone: nil
    }
  }
}
