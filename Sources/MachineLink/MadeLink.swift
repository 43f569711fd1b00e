package import BlueZ

/// A link that this program, or an earlier run of ours, has made: by the machine at its other end.
package struct LeftLink: Hashable, Sendable {
  package var address: BluetoothAddress
  /// Whether the stack was the mock.
  package var isSimulated: Bool

  package init(address: BluetoothAddress, isSimulated: Bool) {
    self.address = address
    self.isSimulated = isSimulated
  }
}

/// Which link we have made. When we end, only that one is ended: one that another program has made is
/// left up.
struct MadeLink: Hashable, Sendable {
  private(set) var link: LeftLink?
  /// Another adapter may have a link with the same machine. Nil: whichever has it.
  private var path: ObjectPath?
  /// The bluetoothd that holds it.
  private var owner: String?
  /// Whether a Connect of ours may still bring it.
  private var isComing = false

  /// - Parameter link: the one that an earlier run has left behind.
  init(_ link: LeftLink?) { self.link = link }

  /// A Connect of ours begins.
  ///
  /// - Parameter owner: the bluetoothd that it is asked of.
  mutating func connects(to device: Device, isSimulated: Bool, owner: String?) {
    self = MadeLink(LeftLink(address: device.address, isSimulated: isSimulated))
    path = device.path
    self.owner = owner
    isComing = true
  }

  /// Takes from an answer whether the link may still come. Whether it is gone, only the levels tell: BlueZ may
  /// say that it has ended a link, or that it can't, and leave it up.
  mutating func finished(_ operation: LinkOperation, _ error: BlueZError?) {
    guard error?.kind != .timedOut, error?.kind != .inProgress else { return }
    switch operation {
    case .connect: if error != nil, isComing { self = MadeLink(nil) }
    case .disconnect, .removeDevice: isComing = false
    default: break
    }
  }

  /// Draws from new levels whether the link is still there.
  mutating func note(_ levels: BlueZState) {
    guard let link else { return }
    // A link outlives a client's connection to the bus.
    guard levels.isBusConnected else { return }
    if let owner, levels.owner != owner {
      self = MadeLink(nil)
      return
    }
    owner = owner ?? levels.owner
    guard let tree = levels.tree else { return }
    let isThere = tree.devices.values.contains { isWith($0) && $0.isConnected }
    if isThere, tree.isSimulated == link.isSimulated {
      isComing = false
    } else if !isComing {
      self = MadeLink(nil)
    }
  }

  /// Whether the device's link is ours, or will be.
  func isWith(_ device: Device) -> Bool {
    link?.address == device.address && (path == nil || path == device.path)
  }
}
