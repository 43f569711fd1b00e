package import BlueZ

/// A set of UUIDs under which a ball machine's command characteristic may be found.
///
/// None of them is a ball machine's alone: they say where to write on a device that is ours, not that
/// it is ours. See ``LinkConfiguration/standing(of:isSimulated:)``.
package struct MachineProfile: Hashable, Sendable {
  package enum Characteristics: Hashable, Sendable {
    /// The service, the characteristic to write, and the one that notifies, if any.
    case uuids(service: BluetoothUUID, write: BluetoothUUID, notify: BluetoothUUID?)
    /// The characteristic with this handle, whatever its UUID; in this service, if it is given.
    case handle(AttributeHandle, service: BluetoothUUID?)
    /// The only writable characteristic outside the standard services.
    case onlyWritable
  }

  package let name: String
  package let characteristics: Characteristics
  /// Whether ball machines are known to advertise its service: together with a known name that makes a
  /// device ours. All others are on many devices, whatever these are called.
  package let isTypical: Bool

  /// The service's UUID, which the machine may advertise.
  package var service: BluetoothUUID? {
    switch characteristics {
    case .uuids(let service, _, _): service
    case .handle(_, let service): service
    case .onlyWritable: nil
    }
  }

  /// Whether it comes from the configuration.
  package var isConfigured: Bool { name == Self.configuredName }

  private static let configuredName = "configured"

  /// The UUID that notifies, if the profile names one.
  package var notify: BluetoothUUID? {
    if case .uuids(_, _, let notify) = characteristics { notify } else { nil }
  }

  /// UUIDs from the configuration come before all others.
  package static func configured(service: BluetoothUUID, write: BluetoothUUID) -> MachineProfile {
    MachineProfile(
      name: configuredName,
      characteristics: .uuids(service: service, write: write, notify: nil),
      isTypical: true
    )
  }

  /// A handle tells characteristics with equal UUIDs apart.
  package static func configured(
    handle: AttributeHandle,
    service: BluetoothUUID?
  ) -> MachineProfile {
    MachineProfile(
      name: configuredName,
      characteristics: .handle(handle, service: service),
      isTypical: true
    )
  }

  /// The profiles that are tried when nothing is configured, in this order.
  package static let known: [MachineProfile] = [
    // A made-up UUID that phone apps and sensors use, too.
    MachineProfile(
      name: "ball-machine",
      service: "12345678-1234-1234-1234-123456789abc",
      write: "abcd1234-1234-1234-1234-abcdef123456",
      isTypical: true
    ),
    // This one belongs to modules with an Ai-Thinker firmware.
    MachineProfile(
      name: "uart",
      service: "55535343-fe7d-4ae5-8fa9-9fafd205e455",
      write: "49535343-8841-43f4-a8d4-ecbe34729bb3",
      notify: "49535343-1e4d-4bd9-ba61-23c647249616",
      isTypical: true
    ),
    MachineProfile(
      name: "transparent-uart",
      service: "49535343-fe7d-4ae5-8fa9-9fafd205e455",
      write: "49535343-8841-43f4-a8d4-ecbe34729bb3",
      notify: "49535343-1e4d-4bd9-ba61-23c647249616"
    ),
    MachineProfile(
      name: "nordic-uart",
      service: "6e400001-b5a3-f393-e0a9-e50e24dcca9e",
      write: "6e400002-b5a3-f393-e0a9-e50e24dcca9e",
      notify: "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
    ),
    MachineProfile(name: "hm-10", service: "ffe0", write: "ffe1"),
    // The last of those with a UUID: an update service is no command channel where there is another.
    MachineProfile(
      name: "phy62xx-update",
      service: "5833ff01-9b8b-5191-6142-22a4536ef123",
      write: "5833ff02-9b8b-5191-6142-22a4536ef123",
      notify: "5833ff03-9b8b-5191-6142-22a4536ef123"
    ),
    MachineProfile(name: "only-writable", characteristics: .onlyWritable, isTypical: false),
  ]

  /// The names under which links of this version and of earlier ones were remembered that wrote into
  /// an update service: such a link says nothing of whether the device is a ball machine.
  static let namesOfUpdateServices: Set = ["ai-thinker", "phy62xx-update"]
}

extension MachineProfile {
  // The UUIDs above are literals of this file; a typing error in one is found by the first test.
  private init(
    name: String,
    service: String,
    write: String,
    notify: String? = nil,
    isTypical: Bool = false
  ) {
    guard let service = BluetoothUUID(service), let write = BluetoothUUID(write) else {
      preconditionFailure("profile \(name) has a malformed UUID")
    }
    self.init(
      name: name,
      characteristics: .uuids(
        service: service,
        write: write,
        notify: notify.flatMap { BluetoothUUID($0) }
      ),
      isTypical: isTypical
    )
  }
}
