/// A version of BlueZ that the mock can play: those of three Debians.
///
/// What differs was recorded on each of them, with the same script and the same peer.
package enum MockVersion: String, CaseIterable, Hashable, Sendable {
  /// Debian 12.
  case v5_66 = "5.66"
  /// Debian 13.
  case v5_82 = "5.82"
  /// The Debian after it.
  case v5_87 = "5.87"

  /// Debian 13's, since that is the box that most people have.
  package static let standard = MockVersion.v5_82

  /// The adapter's modalias: the identity of bluetoothd, as other devices see it.
  var modalias: String {
    switch self {
    case .v5_66: "usb:v1D6Bp0246d0542"
    case .v5_82: "usb:v1D6Bp0246d0552"
    case .v5_87: "usb:v1D6Bp0246d0557"
    }
  }

  // MARK: Ends of links

  /// Whether a call that ends a link is answered before `Connected` changes, and not after it.
  var answersBeforeTheEnd: Bool { self == .v5_66 }

  /// Whether a call that switches an adapter off is answered before its links are told to be down.
  var answersBeforeLinksEnd: Bool { self == .v5_82 }

  /// Whether `Disconnected` says why a link has ended.
  var tellsWhy: Bool { self == .v5_87 }

  // MARK: Calls

  /// Whether a second Connect fails with a name of its own.
  var namesPendingConnect: Bool { self != .v5_66 }

  /// Whether the services that bluetoothd itself uses are exported, for reading alone.
  var exportsClaimed: Bool { self != .v5_66 }

  /// Whether a pattern is compared with an address in either case.
  var ignoresCaseOfAddresses: Bool { self == .v5_87 }

  /// The keys of a discovery filter.
  var filterKeys: [String] {
    let keys = [
      "UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern",
    ]
    return self == .v5_87 ? keys + ["AutoConnect"] : keys
  }

  // MARK: Objects

  /// Whether an adapter shows `PowerState`, its radio and whether it can be connected to; and attributes
  /// their handles, and devices the flags that they advertise.
  var showsMore: Bool { self != .v5_66 }

  /// Whether an adapter that is unplugged is told to be off before its links are told to be down.
  var tellsUnpluggingFirst: Bool { self == .v5_87 }

  /// Whether a device has an interface for its LE link alone.
  var hasBearers: Bool { self == .v5_87 }

  /// Whether a device with a private address goes while its Connect is pending. Mended in 5.69.
  var forgetsPendingDevices: Bool { self == .v5_66 }
}

extension MockGATTTable {
  /// The table as bluetoothd exports it: with GAP, where it does that.
  func exported(by version: MockVersion) -> MockGATTTable {
    guard version.exportsClaimed, !services.contains(where: { $0.uuid == "1800" }) else {
      return self
    }
    let last =
      services.flatMap { service in
        [service.handle]
          + service.characteristics.flatMap { [$0.handle + 1] + $0.descriptors.map(\.handle) }
      }.max() ?? 0
    let characteristics: [Characteristic] = [(2, "2a00"), (4, "2a01")].map { offset, uuid in
      Characteristic(handle: last + offset, uuid: uuid, flags: ["read"], descriptors: [])
    }
    return MockGATTTable(
      services: services
        + [Service(handle: last + 1, uuid: "1800", characteristics: characteristics)]
    )
  }

  /// Whether bluetoothd uses the characteristic's service itself.
  func isClaimed(_ handle: UInt16) -> Bool {
    services.contains { service in
      (service.uuid == "1800" || service.uuid == "180a")
        && service.characteristics.contains { $0.handle == handle }
    }
  }
}
