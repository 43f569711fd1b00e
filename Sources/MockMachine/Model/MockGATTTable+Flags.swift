extension MockGATTTable {
  /// What can be written outside the standard services.
  package var writable: [Characteristic] {
    services.filter { !$0.uuid.isStandard }.flatMap(\.characteristics).filter(\.isWritable)
  }

  /// Replaces the flags of what can be written outside the standard services.
  package mutating func setWritableFlags(_ flags: [String]) {
    for service in services.indices where !services[service].uuid.isStandard {
      for characteristic in services[service].characteristics.indices
      where services[service].characteristics[characteristic].isWritable {
        services[service].characteristics[characteristic].flags = flags
      }
    }
  }
}

extension MockGATTTable.Characteristic {
  fileprivate var isWritable: Bool { flags.contains { $0.hasPrefix("write") } }
}

extension MockUUID {
  /// The services that the Bluetooth SIG assigned: 0x1800 to 0x18ff.
  fileprivate var isStandard: Bool {
    string.hasPrefix("000018") && string.hasSuffix("-0000-1000-8000-00805f9b34fb")
  }
}
