package import BlueZ
import MachineLink

extension Diagnosis {
  /// The addresses of this box's adapters and of ball machines. All others belong to other
  /// people's devices.
  package var ownAddresses: Set<BluetoothAddress> {
    var addresses = Set((try? kernel.controllers.get())?.compactMap(\.address) ?? [])
    addresses.formUnion([configuration.address, configuration.adapter?.address].compactMap(\.self))
    addresses.formUnion(configuration.remembered.map(\.address))
    guard let tree = levels.tree else { return addresses }
    addresses.formUnion(tree.adapters.values.map(\.address))
    addresses.formUnion(
      tree.devices.values
        .filter { configuration.standing(of: $0, isSimulated: tree.isSimulated) == .certain }
        .map(\.address)
    )
    if let name = configuration.name {
      addresses.formUnion(tree.devices.values.filter { $0.name == name }.map(\.address))
    }
    return addresses
  }

  /// BlueZ's objects for people to read, a line each, without the names of other people's devices.
  package var objectLines: [String] {
    guard let tree = levels.tree else { return ["BlueZ shows no objects"] }
    let own = ownAddresses
    let devices = tree.devices.values.sorted { $0.address < $1.address }
    return tree.adaptersInOrder.flatMap { adapter in
      [Self.line(adapter)]
        + devices.filter { $0.adapter == adapter.path }.flatMap { device in
          ["  " + Self.line(device, isOwn: own.contains(device.address))]
            + tree.table(of: device.path).map { "    " + Self.line($0) }
        }
    }
  }

  private static func line(_ adapter: Adapter) -> String {
    let words: [String?] = [
      adapter.isPowered ? "on" : "off", adapter.isDiscovering ? "scanning" : nil,
      "class 0x\(String(adapter.classOfDevice, radix: 16))",
      adapter.roles.map { "roles " + $0.sorted().joined(separator: ",") },
      adapter.daemonVersion.map { "bluetoothd \($0)" },
    ]
    return "adapter \(adapter.name) \(adapter.address): \(list(words))"
  }

  private static func line(_ device: Device, isOwn: Bool) -> String {
    let words: [String?] = [
      device.addressType.rawValue, isOwn ? device.name.map { "name \($0)" } : nil,
      device.strength.map { "\($0) dBm" }, device.isConnected ? "connected" : nil,
      device.areServicesResolved ? "resolved" : nil, device.isPaired ? "paired" : nil,
      device.isTrusted ? "trusted" : nil, device.isBlocked ? "blocked" : nil,
      "services " + device.uuids.sorted().map(\.description).joined(separator: ","),
    ]
    return "device \(device.address): \(list(words))"
  }

  private static func line(_ located: LocatedCharacteristic) -> String {
    let characteristic = located.characteristic
    let words: [String?] = [
      characteristic.flags.names.joined(separator: ","), characteristic.mtu.map { "MTU \($0)" },
      characteristic.isWriteAcquired ? "write acquired" : nil,
    ]
    return "characteristic \(characteristic.uuid) in \(located.service): \(list(words))"
  }

  private static func list(_ words: [String?]) -> String {
    words.compactMap(\.self).joined(separator: ", ")
  }
}
