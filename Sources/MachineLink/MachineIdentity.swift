package import BlueZ

/// Decides which device is our machine. Nothing is ever written to any other, and no link to another one
/// is made, used or ended.
package enum MachineIdentity: Hashable, Sendable {
  /// No device that is known is ours.
  case none
  case one(Recognised)
  /// More than one could be ours: none of them is touched.
  case ambiguous([Device])

  /// A device that is ours, and how that is known.
  package struct Recognised: Hashable, Sendable {
    package var device: Device
    package var by: Evidence
  }

  package enum Evidence: Hashable, Sendable {
    /// The configured address, that of an earlier link of this run, or of a good one of another run.
    case address
    /// The configured name.
    case name
    /// A person's word, or a known name together with a known profile.
    case standing
    /// A stop command is owed to it: it gets that one and nothing more.
    case owedStop
  }

  /// - Parameters:
  ///   - devices: those of our adapter.
  ///   - expected: the machine of the last link, or the remembered one, where it counts.
  ///   - acceptsNewAddress: whether it may have another address now, if it is not in range.
  ///   - memoryDecides: whether no other device may stand for it.
  ///   - isSimulated: whether the stack is the mock.
  ///   - isOwed: whether a stop command is owed to the device.
  ///   - isInRange: whether a device was heard of now, not in some earlier scan.
  package init(
    among devices: some Sequence<Device>,
    configuration: LinkConfiguration,
    expected: RememberedMachine?,
    acceptsNewAddress: Bool,
    memoryDecides: Bool,
    isSimulated: Bool?,
    isOwed: (Device) -> Bool = { _ in false },
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
    if let device = devices.first(where: { isOwed($0) && isInRange($0) }) {
      self = .one(Recognised(device: device, by: .owedStop))
      return
    }
    let evidence: Evidence
    let candidates: [Device]
    if let name = configuration.name {
      evidence = .name
      candidates = devices.filter { $0.name == name && isInRange($0) }
    } else {
      evidence = .standing
      candidates = devices.filter {
        isInRange($0) && configuration.standing(of: $0, isSimulated: isSimulated) == .certain
      }
    }
    switch candidates.count {
    case 0: self = .none
    case 1: self = .one(Recognised(device: candidates[0], by: evidence))
    default: self = .ambiguous(candidates.sorted { $0.address < $1.address })
    }
  }
}

extension Device {
  /// Whether it is linked, or has been heard in the scan that is on.
  ///
  /// That BlueZ shows it proves nothing: it also shows what it knows from earlier, and after a start
  /// only once its adapter is there. What it hears has a signal strength until the scan is over, or is new
  /// or has news, where the controller reports no strength.
  /// Source: BlueZ src/adapter.c, `btd_adapter_device_found`, `discovery_cleanup`.
  ///
  /// - Parameter mark: ``ObjectTree/hearings`` when the scan began; nil while none is on.
  func isInRange(since mark: UInt64?) -> Bool {
    isConnected || rssi != nil || mark.map { hearing > $0 } == true
  }
}
