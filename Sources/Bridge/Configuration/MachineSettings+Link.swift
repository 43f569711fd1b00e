package import MachineLink

extension MachineSettings {
  /// How the link finds the machine, but for its memory of earlier ones.
  package var link: LinkConfiguration {
    var link = LinkConfiguration(
      name: name,
      allowsOtherAdapter: allowsOtherAdapter,
      allowsPowerCycle: allowsPowerCycle,
      // Elsewhere nobody has said how bluetoothd would be started.
      startsService: bus == "system"
    )
    if let address, !link.setAddress(address) { preconditionFailure("“\(address)” was let pass") }
    if let adapter, !link.setAdapter(adapter) { preconditionFailure("“\(adapter)” was let pass") }
    if let service, let characteristic {
      guard link.addProfile(service: service, characteristic: characteristic) else {
        preconditionFailure("“\(service)” or “\(characteristic)” was let pass")
      }
    }
    return link
  }
}
