package import CourtLogic
package import MachineLink

extension MachineSettings {
  /// Whether whoever sends this by hand wants the machine stopped: all zeros always mean that.
  package func isStop(_ command: MachineCommand) -> Bool {
    command == .stop || command == stopCommand
  }

  /// How the link finds the machine, but for its memory of earlier ones.
  package var link: LinkConfiguration {
    var link = LinkConfiguration(
      name: name,
      allowsOtherAdapter: allowsOtherAdapter,
      allowsPowerCycle: allowsPowerCycle,
      // Elsewhere nobody has said how bluetoothd would be started.
      startsService: bus == "system",
      stopCommand: stopCommand
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
