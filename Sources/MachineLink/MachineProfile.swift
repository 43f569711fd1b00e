package import BlueZ

/// A set of UUIDs under which a ball machine's command characteristic may be found.
package struct MachineProfile: Hashable, Sendable {
  package enum Characteristics: Hashable, Sendable {
    /// The service, the characteristic to write, and the one that notifies, if any.
    case uuids(service: BluetoothUUID, write: BluetoothUUID, notify: BluetoothUUID?)
    /// The only writable characteristic outside the standard services.
    case onlyWritable
  }

  package let name: String
  package let characteristics: Characteristics
  /// Whether these UUIDs are the machine's own. All others are common, and count only on a
  /// device that is known to be ours in another way.
  package let identifiesMachine: Bool

  /// The service's UUID, which the machine may advertise.
  package var service: BluetoothUUID? {
    if case .uuids(let service, _, _) = characteristics { service } else { nil }
  }

  /// The UUID that notifies, if the profile names one.
  package var notify: BluetoothUUID? {
    if case .uuids(_, _, let notify) = characteristics { notify } else { nil }
  }

  /// UUIDs from the configuration come before all others.
  package static func configured(service: BluetoothUUID, write: BluetoothUUID) -> MachineProfile {
    MachineProfile(
      name: "configured",
      characteristics: .uuids(service: service, write: write, notify: nil),
      identifiesMachine: true
    )
  }

  /// The profiles that are tried when nothing is configured, in this order.
  package static let known: [MachineProfile] = [
    MachineProfile(
      name: "ball-machine",
      service: "12345678-1234-1234-1234-123456789abc",
      write: "abcd1234-1234-1234-1234-abcdef123456",
      identifiesMachine: true
    ),
    MachineProfile(
      name: "ai-thinker",
      service: "5833ff01-9b8b-5191-6142-22a4536ef123",
      write: "5833ff02-9b8b-5191-6142-22a4536ef123",
      notify: "5833ff03-9b8b-5191-6142-22a4536ef123",
      identifiesMachine: true
    ),
    MachineProfile(
      name: "transparent-uart",
      service: "49535343-fe7d-4ae5-8fa9-9fafd205e455",
      write: "49535343-8841-43f4-a8d4-ecbe34729bb3",
      notify: "49535343-1e4d-4bd9-ba61-23c647249616",
      identifiesMachine: false
    ),
    MachineProfile(
      name: "nordic-uart",
      service: "6e400001-b5a3-f393-e0a9-e50e24dcca9e",
      write: "6e400002-b5a3-f393-e0a9-e50e24dcca9e",
      notify: "6e400003-b5a3-f393-e0a9-e50e24dcca9e",
      identifiesMachine: false
    ),
    MachineProfile(name: "hm-10", service: "ffe0", write: "ffe1", identifiesMachine: false),
    MachineProfile(
      name: "only-writable",
      characteristics: .onlyWritable,
      identifiesMachine: false
    ),
  ]
}

extension MachineProfile {
  // The UUIDs above are literals of this file; a typing error in one is found by the first test.
  private init(
    name: String,
    service: String,
    write: String,
    notify: String? = nil,
    identifiesMachine: Bool
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
      identifiesMachine: identifiesMachine
    )
  }
}
