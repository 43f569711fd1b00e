package import BlueZ

/// The machine of a good link, and how it was found: what a later link may rely on.
package struct RememberedMachine: Hashable, Sendable {
  package var address: BluetoothAddress
  package var addressType: Device.AddressType
  /// The configured name under which it was found; nil when none was configured. What the machine
  /// calls itself is no such name: BlueZ replaces that after the first connection.
  package var name: String?
  /// The name of the profile that fitted.
  package var profile: String
  /// The adapter that the link went through.
  package var adapter: BluetoothAddress
  /// Whether the stack was the mock: it says nothing about real machines, nor they about it.
  package var isSimulated: Bool

  /// Whether the machine will still have this address tomorrow. A private one, resolvable or not,
  /// changes every few minutes, and may be another device's then.
  package var isLasting: Bool { BluetoothAddress.isLasting(address, addressType) }

  /// Whether they may be one machine, which has another address now: only its configured name says so. A
  /// simulated machine is never a real one.
  package func mayBe(_ other: RememberedMachine) -> Bool {
    guard isSimulated == other.isSimulated else { return false }
    return address == other.address
      || !isLasting && !other.isLasting && name != nil && name == other.name
  }

  /// Whether the device is this machine.
  package func isSame(as device: Device) -> Bool {
    device.address == address && device.addressType == addressType
  }

  /// Whether it says which machine is meant: a configured address says that alone, and a configured
  /// name counts only if the machine was found under it.
  package func counts(for configuration: LinkConfiguration, isSimulated: Bool?) -> Bool {
    self.isSimulated == isSimulated && configuration.address == nil
      && (configuration.name == nil || configuration.name == name)
  }
}

extension LinkConfiguration {
  /// The machine of an earlier run that is meant, if its memory says which one.
  package func rememberedMachine(isSimulated: Bool?) -> RememberedMachine? {
    remembered.first {
      $0.isLasting && $0.counts(for: self, isSimulated: isSimulated) && isTrustworthy($0)
    }
  }

  /// Whether a good link says that it is our machine: any gadget takes writes into its update service.
  private func isTrustworthy(_ machine: RememberedMachine) -> Bool {
    !MachineProfile.namesOfUpdateServices.contains(machine.profile)
      || adopted.contains {
        $0.isSimulated == machine.isSimulated && $0.isByAddress && $0.address == machine.address
      }
  }

  /// The adapter through which an earlier run reached the machine: a configured address says which
  /// machine is meant, but not that.
  func knowingAdapter(isSimulated: Bool?) -> BluetoothAddress? {
    let machine =
      rememberedMachine(isSimulated: isSimulated)
      ?? remembered.first { $0.address == address && $0.isSimulated == isSimulated }
    return machine?.adapter
  }
}

// What a link relies on, and what it leaves behind.

extension LinkStateMachine {
  /// The machine that is meant because an earlier link with it was good: one of this run or, before
  /// there is one, of an earlier run.
  var remembered: RememberedMachine? {
    counting(proven) ?? configuration.rememberedMachine(isSimulated: isSimulated)
  }

  /// The machine that is waited for: that of this run's last link, good or not, before the remembered one.
  var expected: RememberedMachine? { counting(linked) ?? remembered }

  private func counting(_ machine: RememberedMachine?) -> RememberedMachine? {
    machine?.counts(for: configuration, isSimulated: isSimulated) == true ? machine : nil
  }

  /// Whether nothing but memory says which machine is meant. Then no other one is ever used in its
  /// place, however much it looks like one.
  var memoryDecides: Bool {
    configuration.address == nil && configuration.name == nil && remembered != nil
  }

  /// Whether that was so when this run began.
  var earlierRunDecides: Bool {
    guard memoryDecides, let remembered else { return false }
    return configuration.remembered.contains {
      $0.address == remembered.address && $0.isSimulated == remembered.isSimulated
    }
  }

  /// What is worth remembering of a link that has just become ready.
  func memory(of device: Device, profile: String) -> RememberedMachine? {
    guard let tree = levels.tree, let adapter = tree.adapters[device.adapter] else { return nil }
    let machine = RememberedMachine(
      address: device.address,
      addressType: device.addressType,
      name: configuration.address == nil ? configuration.name : nil,
      profile: profile,
      adapter: adapter.address,
      isSimulated: tree.isSimulated
    )
    return machine.named(like: [linked].compactMap(\.self) + configuration.remembered)
  }

  /// The link has proved good: commands get through it, or it has held for long enough.
  mutating func becameProven() {
    if let linked, linked.isLasting { proven = linked }
  }
}

extension RememberedMachine {
  /// The same machine, found without a name this time, keeps the name that it was once found under.
  fileprivate func named(like memories: [RememberedMachine]) -> RememberedMachine {
    guard name == nil else { return self }
    var machine = self
    machine.name =
      memories.first {
        $0.address == address && $0.addressType == addressType && $0.isSimulated == isSimulated
      }?.name
    return machine
  }
}
