import DBus

// Discovery sessions, one a client and adapter (src/adapter.c).
extension Daemon {
  mutating func setDiscoveryFilter(_ call: Call, _ name: String) {
    guard let adapter = adapters[name], adapter.isPowered else {
      fail(call, BlueZFailure.notReady)
      return
    }
    guard let properties = call.arguments.first?.properties,
      let filter = DiscoveryFilter(properties, of: version)
    else {
      fail(call, BlueZFailure.invalidArguments)
      return
    }
    let wanted = properties.isEmpty ? nil : filter
    var client = adapter.clients[call.sender] ?? DiscoveryClient(state: .filterOnly, filter: nil)
    client.filter = wanted
    publish(
      .discoveryFiltered(
        adapterName: name,
        client: call.sender,
        transport: filter.transport.rawValue
      )
    )
    let isSession = client.state != .filterOnly
    adapters[name]?.clients[call.sender] = wanted == nil && !isSession ? nil : client
    reply(call)
    if isSession { startListening(name) }
  }

  mutating func startDiscovery(_ call: Call, _ name: String) {
    guard let adapter = adapters[name], adapter.isPowered else {
      fail(call, BlueZFailure.notReady)
      return
    }
    var client = adapter.clients[call.sender] ?? DiscoveryClient(state: .filterOnly, filter: nil)
    guard client.state == .filterOnly else {
      fail(call, BlueZFailure.busy)
      return
    }
    client.state = .starting(call)
    adapters[name]?.clients[call.sender] = client
    let alarm = Alarm.discovery(adapter: name, client: call.sender)
    // A scan that runs already needs no command to the kernel.
    alarms.set(alarm, at: now + (adapter.isDiscovering ? .zero : timings.discoveryReply))
  }

  mutating func stopDiscovery(_ call: Call, _ name: String) {
    guard let adapter = adapters[name], adapter.isPowered else {
      fail(call, BlueZFailure.notReady)
      return
    }
    switch adapter.clients[call.sender]?.state {
    case nil, .filterOnly: fail(call, BlueZFailure.noDiscovery)
    case .starting, .stopping: fail(call, BlueZFailure.busy)
    case .active:
      adapters[name]?.clients[call.sender]?.state = .stopping(call)
      let isLast = adapter.clients.values.count(where: \.isScanning) == 1
      alarms.set(
        .discovery(adapter: name, client: call.sender),
        at: now + (isLast ? timings.discoveryReply : .zero)
      )
    }
  }

  mutating func finishDiscoveryChange(_ name: String, _ sender: String) {
    switch adapters[name]?.clients[sender]?.state {
    case .starting(let call):
      adapters[name]?.clients[sender]?.state = .active
      publish(.discoveryStarted(adapterName: name, client: sender))
      reply(call)
      setDiscovering(name, true)
      startListening(name)
    case .stopping(let call):
      adapters[name]?.clients[sender] = nil
      publish(.discoveryStopped(adapterName: name, client: sender))
      reply(call)
      stopIfUnused(name)
    case nil, .filterOnly, .active: break
    }
  }

  /// A client left the bus: its sessions end without a call.
  mutating func forget(_ client: String) {
    for name in adapters.keys.sorted() {
      guard let session = adapters[name]?.clients.removeValue(forKey: client) else { continue }
      switch session.state {
      case .starting(let call), .stopping(let call): abandon(call)
      case .active, .filterOnly: break
      }
      guard session.state != .filterOnly else { continue }
      alarms.cancel(.discovery(adapter: name, client: client))
      publish(.discoveryStopped(adapterName: name, client: client))
      stopIfUnused(name)
    }
    endNotifySessions(of: client)
  }

  func isKnown(_ client: String) -> Bool {
    adapters.values.contains { $0.clients[client] != nil }
      || devices.values.contains { $0.notifySessions.values.contains { $0.contains(client) } }
      || subscriptions.values.contains { $0.call.sender == client }
  }

  /// The adapter went off: every session is over, without a word to its owner.
  mutating func endAllSessions(_ name: String) {
    for (client, session) in (adapters[name]?.clients ?? [:]).sorted(by: { $0.key < $1.key }) {
      alarms.cancel(.discovery(adapter: name, client: client))
      switch session.state {
      case .starting(let call): fail(call, BlueZFailure.inProgress)
      case .stopping(let call): reply(call)
      case .active, .filterOnly: break
      }
      if session.isScanning { publish(.discoveryStopped(adapterName: name, client: client)) }
    }
    adapters[name]?.clients = [:]
    stopIfUnused(name)
  }

  /// Another program scans without a filter.
  mutating func startForeignScan(_ name: String) {
    adapters[name]?.clients[Flood.client] = DiscoveryClient(state: .active, filter: nil)
    setDiscovering(name, true)
    startListening(name)
  }

  private mutating func setDiscovering(_ name: String, _ isDiscovering: Bool) {
    guard adapters[name]?.isDiscovering != isDiscovering else { return }
    adapters[name]?.isDiscovering = isDiscovering
    change(adapter: name, ["Discovering": .boolean(isDiscovering)])
  }

  /// Hears everything that advertises, as each start of a scan does.
  mutating func startListening(_ name: String) {
    for address in room.keys.sorted() { listen(to: address, on: name) }
  }

  /// After the last session: RSSI is unknown again, and what can't be connected goes at once.
  mutating func stopIfUnused(_ name: String) {
    guard let adapter = adapters[name], adapter.isDiscovering,
      !adapter.clients.values.contains(where: \.isScanning)
    else { return }
    setDiscovering(name, false)
    alarms.cancel { alarm in
      if case .report(let id) = alarm { id.adapter == name } else { false }
    }
    for id in deviceIDs(on: name) {
      if devices[id]?.rssi != nil {
        devices[id]?.rssi = nil
        change(id, ["RSSI": nil])
      }
      if let device = devices[id], device.isTemporary, !device.isConnectable { remove(id) }
    }
  }

  func deviceIDs(on adapter: String) -> [DeviceID] {
    devices.keys.filter { $0.adapter == adapter }.sorted { $0.address < $1.address }
  }
}
