package import BlueZ

/// Decides which device is our machine. Nothing is ever written to any other.
package enum MachineIdentity: Hashable, Sendable {
  /// No device that is known is ours.
  case none
  case one(Recognised)
  /// More than one could be ours: none of them is touched.
  case ambiguous([Device])

  /// A device that is ours, and how far that goes.
  package struct Recognised: Hashable, Sendable {
    package var device: Device
    package var by: Evidence
  }

  package enum Evidence: Hashable, Sendable {
    /// The configured address, that of an earlier link of this run, or of a good one of another run.
    case address
    case name
    /// It advertises UUIDs that only machines have.
    case profile

    /// The profiles that may be used on such a device: one known by its UUIDs alone may only be
    /// written to through the machine's own.
    package func allowed(of profiles: [MachineProfile]) -> [MachineProfile] {
      self == .profile ? profiles.filter(\.identifiesMachine) : profiles
    }
  }

  /// - Parameters:
  ///   - devices: those of our adapter.
  ///   - expected: the machine of the last link, or the remembered one, where it counts.
  ///   - acceptsNewAddress: whether it may have another address now, if it is not in range.
  ///   - memoryDecides: whether no other device may stand for it.
  ///   - isInRange: whether a device was heard of now, not in some earlier scan.
  package init(
    among devices: some Sequence<Device>,
    configuration: LinkConfiguration,
    expected: RememberedMachine?,
    acceptsNewAddress: Bool,
    memoryDecides: Bool,
    isInRange: (Device) -> Bool
  ) {
    let known: (Device) -> Bool =
      if let address = configuration.address {
        { $0.address == address }
      } else {
        { expected?.isSame(as: $0) == true }
      }
    if let device = devices.first(where: known), !acceptsNewAddress || isInRange(device) {
      self = .one(Recognised(device: device, by: .address))
      return
    }
    if configuration.address != nil {
      self = .none
      return
    }
    if expected != nil, memoryDecides || !acceptsNewAddress {
      self = .none
      return
    }
    let evidence: Evidence
    let candidates: [Device]
    if let name = configuration.name {
      evidence = .name
      candidates = devices.filter { $0.name == name && isInRange($0) }
    } else {
      evidence = .profile
      candidates = Self.machines(among: devices, configuration).filter(isInRange)
    }
    switch candidates.count {
    case 0: self = .none
    case 1: self = .one(Recognised(device: candidates[0], by: evidence))
    default: self = .ambiguous(candidates.sorted { $0.address < $1.address })
    }
  }

  /// The devices that advertise UUIDs that only machines have.
  package static func machines(
    among devices: some Sequence<Device>,
    _ configuration: LinkConfiguration
  ) -> [Device] {
    let own = Set(configuration.profiles.filter(\.identifiesMachine).compactMap(\.service))
    return devices.filter { !$0.uuids.isDisjoint(with: own) }
  }
}

extension Device {
  /// Whether it is linked, or has been heard in the scan that is on.
  ///
  /// That BlueZ shows it proves nothing: it also shows what it knows from earlier, and after a start
  /// only once its adapter is there. What it hears has a signal strength until the scan is over.
  /// Source: BlueZ src/adapter.c, `btd_adapter_device_found`, `discovery_cleanup`.
  var isInRange: Bool { isConnected || rssi != nil }
}
