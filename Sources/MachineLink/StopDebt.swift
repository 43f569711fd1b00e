import BlueZ
package import Host

/// A stop command that a program owes a machine.
package struct StopDebt: Hashable, Sendable {
  /// The Bluetooth address, as BlueZ writes it; nil where the machine's address doesn't last: to
  /// later programs it may be any machine.
  package var address: String?
  package var isSimulated: Bool
  package var since: WallTime
  /// The machine, for the program that had the link; no file tells it.
  private var machine: RememberedMachine?

  init(address: String?, isSimulated: Bool, since: WallTime) {
    self.address = address
    self.isSimulated = isSimulated
    self.since = since
  }

  package init(to machine: RememberedMachine, since: WallTime) {
    self.init(
      address: machine.isLasting ? "\(machine.address)" : nil,
      isSimulated: machine.isSimulated,
      since: since
    )
    self.machine = machine
  }

  /// Whether it is not known which machine is owed it.
  var isOfUnknownMachine: Bool { machine == nil && address == nil }

  /// Whether the machine that a link looks for may be the one that is owed it.
  package func mayBeOwed(to configuration: LinkConfiguration) -> Bool {
    let remembered = configuration.rememberedMachine(isSimulated: isSimulated)
    guard let address, let meant = configuration.address ?? remembered?.address else { return true }
    return address == "\(meant)"
  }

  /// Whether it names this device.
  func names(_ device: Device, isSimulated: Bool?) -> Bool {
    self.isSimulated == isSimulated && address == "\(device.address)"
  }

  /// Whether a stop command that this machine acknowledges pays it.
  package func isOwed(to machine: RememberedMachine) -> Bool {
    guard isSimulated == machine.isSimulated else { return false }
    return self.machine?.mayBe(machine) ?? (address.map { $0 == "\(machine.address)" } ?? true)
  }
}

extension StopDebt: Codable {
  private enum CodingKeys: String, CodingKey {
    case address
    case isSimulated = "simulated"
    case since
  }
}

extension StopDebt: CustomStringConvertible {
  package var description: String {
    let machine = address ?? "the machine"
    return "a stop command is owed to \(machine) (\(isSimulated ? "SIM" : "REAL"))"
      + " since \(since.iso8601); the machine gets it first"
  }
}
