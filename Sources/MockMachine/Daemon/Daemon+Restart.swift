import DBus

// bluetoothd dies and comes back.
extension Daemon {
  /// Ends without a signal: the bus tells everybody that the name is gone, and answers pending
  /// calls.
  mutating func goDown() {
    for name in adapters.keys { pluggedIn[name]?.isPowered = adapters[name]?.isPowered ?? true }
    for id in devices.keys.sorted(by: { ($0.adapter, $0.address) < ($1.adapter, $1.address) })
    where devices[id]?.link != nil {
      release(id, after: timings.orphanedLink)
      publish(.disconnected(machine: id.address, adapterName: id.adapter, cause: .daemonGone))
    }
    adapters = [:]
    devices = [:]
    heldCalls = [:]
    commands = [:]
    subscriptions = [:]
    notifications = [:]
    alarms.cancel { alarm in
      switch alarm {
      case .advertise, .garbage: false
      default: true
      }
    }
    isUp = false
    outbox.append(.goDown)
    publish(.down)
  }

  /// The name first; the objects some time later.
  mutating func comeUp() {
    guard !isUp else { return }
    isUp = true
    outbox.append(.comeUp)
    publish(.up)
    alarms.set(.objects, at: now + timings.objectsAppear)
  }
}
