/// A Bluetooth controller of the box.
package struct MockAdapter: Hashable, Sendable {
  /// `hci0`: the index, which a controller may lose when it is plugged in again.
  package var name: String
  package var address: MockAddress
  package var isPowered: Bool
  package var roles: [String]
  /// BR/EDR is enabled beside LE, as on most boxes unless main.conf says `ControllerMode = le`.
  package var isDualMode: Bool

  package init(
    _ name: String = "hci0",
    address: MockAddress = "AA:BB:CC:DD:EE:01",
    isPowered: Bool = true,
    roles: [String] = ["central", "peripheral", "central-peripheral"],
    isDualMode: Bool = false
  ) {
    self.name = name
    self.address = address
    self.isPowered = isPowered
    self.roles = roles
    self.isDualMode = isDualMode
  }
}
