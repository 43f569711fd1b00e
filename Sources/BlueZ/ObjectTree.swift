package import DBus

/// BlueZ's objects as values: a snapshot from `GetManagedObjects`, kept current by signals.
///
/// A pure reducer: messages in, values out. A value that is missing in a message, or has an
/// unexpected type, changes nothing.
package struct ObjectTree: Hashable, Sendable {
  package private(set) var adapters: [ObjectPath: Adapter] = [:]
  package private(set) var devices: [ObjectPath: Device] = [:]
  package private(set) var services: [ObjectPath: Service] = [:]
  package private(set) var characteristics: [ObjectPath: Characteristic] = [:]
  /// Whether the mock's marker is among the objects: then nothing here is real.
  package var isSimulated: Bool { !marked.isEmpty }
  /// The objects that bear the mock's marker.
  private var marked: Set<ObjectPath> = []
  private var lastEpoch: UInt64 = 0
  /// How often a device was heard that shows no signal strength: some controllers report none.
  package private(set) var hearings: UInt64 = 0

  package init() {}

  /// The adapters in the order of their paths.
  package var adaptersInOrder: [Adapter] { adapters.values.sorted { $0.path < $1.path } }

  /// All characteristics of a device, in the order of their handles.
  package func table(of device: ObjectPath) -> [LocatedCharacteristic] {
    characteristics.values.compactMap { characteristic in
      guard let service = services[characteristic.service], service.device == device else {
        return nil
      }
      return LocatedCharacteristic(service: service.uuid, characteristic: characteristic)
    }.sorted { $0.characteristic.path < $1.characteristic.path }
  }

  // MARK: Snapshot

  /// Takes over the reply of `GetManagedObjects`: `a{oa{sa{sv}}}`.
  ///
  /// Known devices keep their epoch, unless the snapshot shows that their link has ended.
  package mutating func replace(with objects: Value) {
    let before = devices
    adapters = [:]
    devices = [:]
    services = [:]
    characteristics = [:]
    marked = []
    guard case .dictionary(_, _, let entries) = objects else { return }
    for (path, interfaces) in entries {
      guard let path = path.objectPath else { continue }
      add(path, interfaces: interfaces)
    }
    for (path, old) in before {
      guard var device = devices[path] else { continue }
      device.hearing = old.hearing
      if old.isConnected || !device.isConnected { device.linkEnd = old.linkEnd }
      if !old.linkHasEnded(in: device) { device.linkEpoch = old.linkEpoch }
      devices[path] = device
    }
  }

  // MARK: Signals

  /// Applies one signal of `ObjectManager`, `Properties` or `Device1`.
  ///
  /// - Returns: whether anything changed.
  package mutating func apply(_ signal: Signal) -> Bool {
    switch (signal.interface, signal.member) {
    case (Interface.objectManager, "InterfacesAdded"):
      guard signal.arguments.count == 2, let path = signal.arguments[0].objectPath else {
        return false
      }
      let isNew = devices[path] == nil
      add(path, interfaces: signal.arguments[1])
      // What bluetoothd knows from earlier is trusted or paired; it shows that after its start.
      if isNew, let device = devices[path], device.rssi == nil, !device.isTrusted, !device.isPaired,
        !device.isConnected
      {
        hearings += 1
        devices[path]?.hearing = hearings
      }
      return true
    case (Interface.objectManager, "InterfacesRemoved"):
      guard signal.arguments.count == 2, let path = signal.arguments[0].objectPath,
        let interfaces = signal.arguments[1].strings
      else { return false }
      return remove(path, interfaces: interfaces)
    case (Interface.properties, "PropertiesChanged"):
      guard signal.arguments.count == 3, let interface = signal.arguments[0].string,
        let changed = signal.arguments[1].properties, let gone = signal.arguments[2].strings
      else { return false }
      return change(signal.path, interface: interface, changed: changed, invalidated: gone)
    case (Interface.device, "Disconnected"):
      guard let name = signal.arguments.first?.string, let before = devices[signal.path] else {
        return false
      }
      devices[signal.path]?.linkEnd = LinkEnd(reason: name)
      return devices[signal.path] != before
    default:
      return false
    }
  }

  private mutating func add(_ path: ObjectPath, interfaces: Value) {
    guard case .dictionary(_, _, let interfaces) = interfaces else { return }
    for (interface, properties) in interfaces {
      guard let interface = interface.string, let properties = properties.properties else {
        continue
      }
      switch interface {
      case Interface.adapter:
        adapters[path] = Adapter(path: path, properties: properties)
      case Interface.device:
        lastEpoch += 1
        devices[path] = Device(path: path, properties: properties, linkEpoch: lastEpoch)
      case Interface.service:
        services[path] = Service(path: path, properties: properties)
      case Interface.characteristic:
        characteristics[path] = Characteristic(path: path, properties: properties)
      case Interface.simulation:
        marked.insert(path)
      default:
        break
      }
    }
  }

  private mutating func remove(_ path: ObjectPath, interfaces: [String]) -> Bool {
    var changed = false
    for interface in interfaces {
      switch interface {
      case Interface.adapter: changed = adapters.removeValue(forKey: path) != nil || changed
      case Interface.device: changed = devices.removeValue(forKey: path) != nil || changed
      case Interface.service: changed = services.removeValue(forKey: path) != nil || changed
      case Interface.characteristic:
        changed = characteristics.removeValue(forKey: path) != nil || changed
      case Interface.simulation: changed = marked.remove(path) != nil || changed
      default: break
      }
    }
    return changed
  }

  private mutating func change(
    _ path: ObjectPath,
    interface: String,
    changed: [String: Value],
    invalidated: [String]
  ) -> Bool {
    switch interface {
    case Interface.adapter:
      guard let before = adapters[path] else { return false }
      adapters[path]?.update(with: changed)
      return adapters[path] != before
    case Interface.device:
      guard let before = devices[path] else { return false }
      var device = before
      device.update(with: changed, invalidated: invalidated)
      if before.linkHasEnded(in: device) {
        lastEpoch += 1
        device.linkEpoch = lastEpoch
      }
      if device.rssi == nil, device.wasHeard(since: before, by: changed) {
        hearings += 1
        device.hearing = hearings
      }
      devices[path] = device
      return device != before
    case Interface.characteristic:
      guard let before = characteristics[path] else { return false }
      characteristics[path]?.update(with: changed, invalidated: invalidated)
      return characteristics[path] != before
    default:
      return false
    }
  }
}

/// The names of BlueZ's interfaces.
package enum Interface {
  package static let adapter = "org.bluez.Adapter1"
  package static let device = "org.bluez.Device1"
  package static let service = "org.bluez.GattService1"
  package static let characteristic = "org.bluez.GattCharacteristic1"
  /// The mock's marker; its presence means that no ball is real.
  package static let simulation = "io.ballmachine.Simulation1"
  package static let objectManager = "org.freedesktop.DBus.ObjectManager"
  package static let properties = "org.freedesktop.DBus.Properties"
}
