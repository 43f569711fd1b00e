package import BlueZ

// What is told where no device is the machine, but some look like it: by the link and by a diagnosis alike.
// Nothing is written to one of these.

extension LinkConfiguration {
  /// The first of these that is so: a name that looks like the configured one; the remembered machine's
  /// address, but of another type; a device that may be a ball machine, where any would do.
  ///
  /// - Parameters:
  ///   - devices: of which none is the machine.
  ///   - remembered: the machine that memory says is meant; nil if it does not decide.
  /// - Returns: nil if none looks like it.
  package func likeness(
    among devices: [Device],
    remembered: RememberedMachine?,
    isSimulated: Bool?
  ) -> LinkFault? {
    guard address == nil else { return nil }
    if let name {
      let similar = devices.filter { NearName.looksLike($0.name ?? "", name) }
      return similar.isEmpty ? nil : .nearlyNamed(similar.listed, wanted: name)
    }
    if let remembered {
      return devices.first {
        $0.address == remembered.address && $0.addressType != remembered.addressType
      }.map {
        .addressTypeChanged($0.address, from: remembered.addressType, to: $0.addressType)
      }
    }
    let perhaps = devices.filter { standing(of: $0, isSimulated: isSimulated) == .perhaps }
    return perhaps.isEmpty ? nil : .onlyPerhaps(perhaps.listed)
  }
}

extension Sequence<Device> {
  /// The devices in the order of their addresses, without what differs between advertisements.
  var listed: [Device] { map(\.unheard).sorted { $0.address < $1.address } }
}

extension Device {
  /// The device without its signal strength, which differs between advertisements: no news in a
  /// fault.
  var unheard: Device {
    var device = self
    device.rssi = nil
    device.hearing = 0
    device.linkEnd = nil
    return device
  }
}
