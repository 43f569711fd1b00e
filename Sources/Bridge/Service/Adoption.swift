package import ControlProtocol
import JSON
package import MachineLink

extension AdoptedMachine {
  /// A device as a person names it, by what a scan has heard.
  ///
  /// - Throws: if it can't be known again.
  package init(_ device: ControlRequest.Adoption, isSimulated: Bool) throws(ControlError) {
    let parsed = AdoptedMachine(
      address: device.address,
      addressType: device.addressType,
      name: device.name,
      isSimulated: isSimulated
    )
    guard let parsed else { throw .invalidParameters("“address” is no Bluetooth address") }
    self = parsed
    guard isRecognisable else {
      throw .refused(
        "notRecognisable",
        "\(device.address) is a private address, which changes every few minutes, and the device advertises"
          + " no name: it can't be known again"
      )
    }
  }
}

extension AdoptionRecord {
  package init(_ machine: AdoptedMachine) {
    self.init(
      address: "\(machine.address)",
      name: machine.name,
      by: machine.isByAddress ? "address" : "name",
      mode: machine.isSimulated ? "SIM" : "REAL"
    )
  }
}

extension BridgeService {
  /// Makes a device our machine, for this run. The caller keeps that for the next one.
  ///
  /// - Parameter keep: keeps it on disk; if that fails, the device isn't adopted.
  package func adopt(
    _ device: ControlRequest.Adoption,
    keep: @Sendable (AdoptedMachine) async throws(ControlError) -> Void
  ) async throws(ControlError) -> AdoptionRecord {
    guard let isSimulated = await link.status.isSimulated else {
      throw ControlError(
        .unavailable,
        "bluetoothd has not answered yet, so that it is not known whether the device is SIM or REAL"
      )
    }
    let machine = try AdoptedMachine(device, isSimulated: isSimulated)
    try await keep(machine)
    await link.adopt(machine)
    return AdoptionRecord(machine)
  }
}
