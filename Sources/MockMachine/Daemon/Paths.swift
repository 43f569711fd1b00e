import DBus

/// What an object path of `org.bluez` stands for.
enum Target: Hashable, Sendable {
  case adapter(String)
  case device(DeviceID)
  case characteristic(DeviceID, UInt16)
  case other

  init(_ path: ObjectPath) {
    let parts = path.string.split(separator: "/")
    guard parts.count >= 3, parts[0] == "org", parts[1] == "bluez" else {
      self = .other
      return
    }
    let adapter = String(parts[2])
    guard parts.count > 3 else {
      self = .adapter(adapter)
      return
    }
    guard let address = MockAddress(pathComponent: parts[3]) else {
      self = .other
      return
    }
    let id = DeviceID(adapter: adapter, address: address)
    switch parts.count {
    case 4: self = .device(id)
    case 6 where parts[5].hasPrefix("char"):
      self = UInt16(parts[5].dropFirst(4), radix: 16).map { .characteristic(id, $0) } ?? .other
    default: self = .other
    }
  }

  var deviceID: DeviceID? {
    switch self {
    case .device(let id), .characteristic(let id, _): id
    default: nil
    }
  }

  var adapter: String? {
    if case .adapter(let name) = self { name } else { deviceID?.adapter }
  }
}

extension ObjectPath {
  static let bluez = ObjectPath(known: "/org/bluez")

  static func adapter(_ name: String) -> ObjectPath { ObjectPath(known: "/org/bluez/\(name)") }
}

extension DeviceID {
  var path: ObjectPath {
    ObjectPath(known: "/org/bluez/\(adapter)/\(address.pathComponent)")
  }

  func path(_ service: MockGATTTable.Service) -> ObjectPath {
    ObjectPath(known: "\(path)/service\(service.handle.hexadecimal)")
  }

  func path(
    _ service: MockGATTTable.Service,
    _ characteristic: MockGATTTable.Characteristic
  ) -> ObjectPath {
    ObjectPath(known: "\(path(service))/char\(characteristic.handle.hexadecimal)")
  }

  func path(
    _ service: MockGATTTable.Service,
    _ characteristic: MockGATTTable.Characteristic,
    _ descriptor: MockGATTTable.Descriptor
  ) -> ObjectPath {
    ObjectPath(
      known: "\(path(service, characteristic))/desc\(descriptor.handle.hexadecimal)"
    )
  }
}

extension FixedWidthInteger {
  /// Two digits a byte.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
  }
}
