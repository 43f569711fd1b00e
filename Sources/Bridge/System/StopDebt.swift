package import BlueZ
package import FoundationEssentials
package import MachineLink

/// A stop command that a program owes a machine.
package struct StopDebt: Hashable, Sendable {
  /// Nil where the machine's address doesn't last: then it may be any machine.
  package var address: BluetoothAddress?
  package var isSimulated: Bool
  package var since: Date

  init(address: BluetoothAddress?, isSimulated: Bool, since: Date) {
    self.address = address
    self.isSimulated = isSimulated
    self.since = since
  }

  init(to machine: RememberedMachine, since: Date) {
    self.init(
      address: machine.isLasting ? machine.address : nil,
      isSimulated: machine.isSimulated,
      since: since
    )
  }

  /// Whether a stop command that this machine gets pays it.
  package func isOwed(to machine: RememberedMachine) -> Bool {
    guard isSimulated == machine.isSimulated else { return false }
    guard let address, machine.isLasting else { return true }
    return address == machine.address
  }
}

extension StopDebt: Codable {
  private enum Key: CodingKey {
    case address, simulated, since
  }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    // What is no address is none: the stop is owed all the same.
    address = try object.decodeIfPresent(String.self, forKey: .address)
      .flatMap(BluetoothAddress.init)
    isSimulated = try object.decode(Bool.self, forKey: .simulated)
    since = try object.decode(Date.self, forKey: .since)
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encodeIfPresent(address?.description, forKey: .address)
    try object.encode(isSimulated, forKey: .simulated)
    try object.encode(since, forKey: .since)
  }
}

extension StopDebt: CustomStringConvertible {
  package var description: String {
    let machine = address.map { "\($0)" } ?? "the machine"
    return "a stop command is owed to \(machine) (\(isSimulated ? "SIM" : "REAL"))"
      + " since \(since.ISO8601Format()), and is the first thing that it gets"
  }
}
