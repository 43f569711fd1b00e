package import BlueZ

/// Which adapter is meant: by its address, or by its present name where an address doesn't distinguish
/// it. Some controllers have the address of another one, or none at all.
package struct AdapterReference: Hashable, Sendable {
  /// Nil: any.
  package private(set) var address: BluetoothAddress?
  /// The adapter's present name, such as `hci1`; nil: any.
  package private(set) var name: String?

  package init(_ address: BluetoothAddress) {
    self.address = address
  }

  /// Reads an address, a name such as `hci1`, or a D-Bus path such as `/org/bluez/hci1`.
  ///
  /// - Returns: nil for other text.
  package init?(_ text: String) {
    if let address = BluetoothAddress(text) {
      self.address = address
      return
    }
    let root = "/org/bluez/"
    let name = text.hasPrefix(root) ? String(text.dropFirst(root.count)) : text
    guard HostController.index(ofName: name) != nil else { return nil }
    self.name = name
  }

  /// What distinguishes an adapter from all others that are there.
  package init(_ adapter: Adapter, among adapters: some Sequence<Adapter>) {
    address = adapter.address
    let isAlone = !adapters.contains {
      $0.path != adapter.path && $0.address == adapter.address
    }
    if adapter.address.isZero || !isAlone { name = adapter.name }
  }

  package func means(_ adapter: Adapter) -> Bool {
    means(address: adapter.address, name: adapter.name)
  }

  package func means(_ controller: HostController) -> Bool {
    means(address: controller.address, name: controller.name)
  }

  private func means(address: BluetoothAddress?, name: String) -> Bool {
    (self.address == nil || self.address == address) && (self.name == nil || self.name == name)
  }

  /// The adapter as a person gives it: its name where the address is not enough.
  package var argument: String { name ?? address.map { "\($0)" } ?? "" }
}

extension AdapterReference: CustomStringConvertible {
  package var description: String {
    [name, address.map { "\($0)" }].compactMap(\.self).joined(separator: " ")
  }
}
