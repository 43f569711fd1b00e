import BlueZ
import DBus
import MockMachine
import TestSupport

// What the two ends of the real stack say, in the mock's terms.

extension MockVerb {
  /// The line that tells the peer, whose verbs are the mock's.
  ///
  /// Those of BlueZ's own doing are not: neither does the peer know whom BlueZ trusts, nor that a
  /// machine is out of one adapter's reach.
  var peerLine: String {
    get throws {
      var verb = self
      if case .machine(var machine) = self {
        machine.isTrusted = false
        machine.adapters = nil
        verb = .machine(machine)
      }
      guard let line = verb.line else {
        throw CannotBePlayed(description: "there is no line that says \(verb)")
      }
      return line
    }
  }
}

extension DBusError {
  /// The ATT error, in hexadecimal, that makes BlueZ say this; nil if it says so for other reasons.
  /// Source: BlueZ 5.66 src/gatt-client.c, create_gatt_dbus_error.
  var attributeCode: String? {
    switch (name, message) {
    case ("org.bluez.Error.NotPermitted", "Write not permitted"): "0x03"
    case ("org.bluez.Error.InvalidArguments", "Invalid Length"): "0x0d"
    case ("org.bluez.Error.Failed", let text)
    where text.hasPrefix("Operation failed with ATT error: 0x8"):
      text.split(separator: " ").last.map(String.init)
    default: nil
    }
  }
}

extension PeerClient.Event {
  /// The write that it tells of.
  var write: (machine: MockAddress, write: MockWrite)? {
    guard let machine = machine.flatMap(MockAddress.init), let type,
      let form = MockWrite.Form(rawValue: type)
    else { return nil }
    let bytes = hex.map(Self.bytes) ?? value.map { Array($0.utf8) } ?? []
    let characteristic = MockUUID(characteristic ?? "") ?? MockUUID.ballMachineCommand
    var write = MockWrite(characteristic: characteristic, value: bytes, form: form)
    write.text = value
    return (machine, write)
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.utf8.count - 1, by: 2).compactMap { offset in
      let start = hex.index(hex.startIndex, offsetBy: offset)
      return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
    }
  }
}

extension BusMessage {
  /// What this message means to a story.
  var events: [MockEvent.Kind] {
    guard let path, path.hasPrefix("/org/bluez") || path == "/" else { return [] }
    switch (type, interface, member) {
    case (.call, _, "GetManagedObjects"), (.call, _, "GetAll"), (.call, _, "Get"),
      (.call, _, "Introspect"), (.call, _, "Ping"):
      return []
    case (.call, _, let member?):
      let name = member == "Set" ? arguments.dropFirst().first?.string.map { "Set \($0)" } : nil
      return [
        .called(
          method: name ?? member,
          adapterName: adapter(in: path),
          machine: machine(in: path),
          client: sender ?? ""
        )
      ]
    case (.signal, _, "PropertiesChanged"):
      return changes(of: path, arguments.dropFirst().first?.object ?? [:])
    case (.signal, _, "InterfacesAdded"), (.signal, _, "InterfacesRemoved"):
      guard let object = arguments.first?.string, let machine = machine(in: object),
        !object.contains("/service"), let adapter = adapter(in: object)
      else { return [] }
      return member == "InterfacesAdded"
        ? [.appeared(machine: machine, adapterName: adapter)]
        : [.removed(machine: machine, adapterName: adapter)]
    default: return []
    }
  }

  private func changes(of path: String, _ properties: [String: BusValue]) -> [MockEvent.Kind] {
    let adapter = adapter(in: path) ?? ""
    func value(_ name: String) -> Bool? { properties[name]?.variant?.bool }
    guard let machine = machine(in: path) else {
      // Who scans is not told.
      return [
        value("Powered").map { .powered(adapterName: adapter, on: $0) },
        value("Discovering").map {
          $0
            ? .discoveryStarted(adapterName: adapter, client: "")
            : .discoveryStopped(adapterName: adapter, client: "")
        },
      ].compactMap { $0 }
    }
    return [
      value("Connected").map {
        $0
          ? .connected(machine: machine, adapterName: adapter)
          : .disconnected(machine: machine, adapterName: adapter, cause: .remote)
      },
      value("ServicesResolved") == true ? .resolved(machine: machine, adapterName: adapter) : nil,
    ].compactMap { $0 }
  }

  private func adapter(in path: String) -> String? {
    path.split(separator: "/").dropFirst(2).first.map(String.init)
  }

  private func machine(in path: String) -> MockAddress? {
    path.split(separator: "/").first { $0.hasPrefix("dev_") }.flatMap { component in
      MockAddress(String(component.dropFirst(4).map { $0 == "_" ? ":" : $0 }))
    }
  }
}

/// bluetoothd's objects as another program sees them.
struct BlueZObjects {
  struct Adapter {
    var path: ObjectPath
    var address: MockAddress
    var isPowered: Bool
    var isDiscovering: Bool
  }

  struct Device {
    var path: ObjectPath
    var address: MockAddress
    var name: String?
    var isConnected: Bool
  }

  var adapters: [Adapter] = []
  var devices: [Device] = []

  init(_ objects: [Value: Value]) {
    for (key, interfaces) in objects {
      guard let path = key.objectPath else { continue }
      func properties(of interface: String) -> [String: Value]? {
        interfaces.dictionary?[.string(interface)]?.properties
      }
      if let adapter = properties(of: "org.bluez.Adapter1"),
        let address = adapter["Address"]?.string.flatMap(MockAddress.init)
      {
        adapters.append(
          Adapter(
            path: path,
            address: address,
            isPowered: adapter["Powered"]?.bool ?? false,
            isDiscovering: adapter["Discovering"]?.bool ?? false
          )
        )
      }
      if let device = properties(of: "org.bluez.Device1"),
        let address = device["Address"]?.string.flatMap(MockAddress.init)
      {
        devices.append(
          Device(
            path: path,
            address: address,
            name: device["Name"]?.string,
            isConnected: device["Connected"]?.bool ?? false
          )
        )
      }
    }
  }

  func adapter(at address: MockAddress) -> Adapter? { adapters.first { $0.address == address } }

  func device(at address: MockAddress) -> Device? { devices.first { $0.address == address } }

  func device(named name: String) -> Device? {
    devices.first { $0.address.string == name || $0.name == name }
  }
}
