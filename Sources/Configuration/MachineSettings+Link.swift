package import CourtLogic
package import MachineLink

extension MachineSettings {
  /// Whether this command, sent by hand, is a stop: all zeros always are.
  package func isStop(_ command: MachineCommand) -> Bool {
    command.isStop || command == stopCommand
  }

  /// How the link finds the machine, without its memory of earlier machines.
  package var link: LinkConfiguration {
    var link = LinkConfiguration(
      name: name,
      allowsOtherAdapter: allowsOtherAdapter,
      allowsPowerCycle: allowsPowerCycle,
      // On other buses it is unknown how to start bluetoothd.
      startsService: bus == "system",
      encoding: CommandEncoding(encoding, checkByte),
      stopCommand: stopCommand
    )
    link.names = names
    if let address, !link.setAddress(address) { preconditionFailure("“\(address)” was let pass") }
    if let adapter, !link.setAdapter(adapter) { preconditionFailure("“\(adapter)” was let pass") }
    if let characteristic {
      guard link.addProfile(service: service, characteristic: characteristic) else {
        preconditionFailure("“\(service ?? "")” or “\(characteristic)” was let pass")
      }
    }
    return link
  }
}
