package import BlueZ

/// The characteristic that takes the machine's commands, found in its GATT table.
package struct CommandCharacteristic: Hashable, Sendable {
  package let path: ObjectPath
  package let uuid: BluetoothUUID
  package let profile: MachineProfile
  /// The characteristic that notifies the machine's answers; nil if there is none.
  package let answers: ObjectPath?
  /// The machine acknowledges a write.
  package let takesRequests: Bool
  /// The machine takes writes without response.
  package let takesCommands: Bool

  /// How ball commands are written: acknowledged wherever the machine can.
  package var mode: WriteMode { takesRequests ? .request : .command }

  /// How far a device is known to be ours.
  package enum Trust: Hashable, Sendable {
    /// The device is known by its name, and by a service that is typical of machines: it is written
    /// to only in such a one.
    case name
    /// The device is configured, or an earlier link with it was good: any profile will do, but for
    /// an update service.
    case identity
    /// A person has said so. Then an update service may take commands, where nothing else could.
    case adoption
  }

  /// Why no characteristic was chosen.
  package enum Absence: Error, Hashable, Sendable {
    /// No profile fits; what the machine has instead.
    case noneUsable(found: [LocatedCharacteristic])
    /// More than one writable characteristic, and no way to know which is meant.
    case ambiguous([LocatedCharacteristic])
    /// Only the update service of the device's Bluetooth chip would take a write. Many gadgets have
    /// such a service, and a write into it can damage them: a person must have said that it is our machine.
    case needsAdoption(LocatedCharacteristic)
  }

  /// Chooses from a GATT table: the first profile that fits, by UUID and by `Flags`.
  ///
  /// - Parameter trust: how far the device is known to be ours.
  package init(
    from table: [LocatedCharacteristic],
    profiles: [MachineProfile],
    trust: Trust
  ) throws(Absence) {
    let candidates = table.filter {
      $0.isWritable && !$0.service.isStandardService && !$0.service.isUpdateService
    }
    var passedOver: [LocatedCharacteristic] = []
    for profile in profiles {
      let usable: [LocatedCharacteristic]
      switch profile.characteristics {
      case .uuids(let service, let write, _):
        let matching = table.filter {
          $0.service == service && $0.characteristic.uuid == write && $0.isWritable
        }
        if service.isUpdateService, !candidates.isEmpty {
          if profile.isConfigured { passedOver += matching }
          continue
        }
        usable = matching
      case .handle(let handle, let service):
        let matching = table.filter {
          $0.characteristic.handle == handle && (service == nil || $0.service == service)
            && $0.isWritable && !$0.service.isStandardService
        }
        if matching.contains(where: \.service.isUpdateService), !candidates.isEmpty {
          passedOver += matching
          continue
        }
        usable = matching
      case .onlyWritable where trust == .name:
        let services = Set(profiles.filter(\.isTypical).compactMap(\.service))
        usable = candidates.filter { services.contains($0.service) } + passedOver
      // What is configured, and not used, is not replaced by a guess.
      case .onlyWritable: usable = candidates + passedOver
      }
      if trust == .name, !profile.isTypical, profile.service?.isUpdateService == false { continue }
      guard let first = usable.first else { continue }
      guard usable.count == 1 else { throw .ambiguous(usable) }
      guard trust == .adoption || !first.service.isUpdateService else {
        throw .needsAdoption(first)
      }
      path = first.characteristic.path
      uuid = first.characteristic.uuid
      answers = Self.answers(beside: first, in: table, profile.notify)
      self.profile = profile
      takesRequests = first.characteristic.flags.contains(.write)
      takesCommands = first.characteristic.flags.contains(.writeWithoutResponse)
      return
    }
    throw .noneUsable(found: table)
  }

  /// The profile's notifying characteristic, else the command characteristic itself, else the only
  /// one of its service that notifies.
  private static func answers(
    beside command: LocatedCharacteristic,
    in table: [LocatedCharacteristic],
    _ notify: BluetoothUUID?
  ) -> ObjectPath? {
    let notifying = table.filter {
      $0.characteristic.service == command.characteristic.service
        && !$0.characteristic.flags.isDisjoint(with: [.notify, .indicate])
    }.map(\.characteristic)
    let named = notifying.filter { $0.uuid == notify }
    if let first = named.first { return first.path }
    if notifying.contains(where: { $0.path == command.characteristic.path }) {
      return command.characteristic.path
    }
    return notifying.count == 1 ? notifying[0].path : nil
  }
}

extension LocatedCharacteristic {
  fileprivate var isWritable: Bool {
    !characteristic.flags.isDisjoint(with: [.write, .writeWithoutResponse])
  }
}

extension BluetoothUUID {
  /// A service that the Bluetooth SIG defined: 0x1800 to 0x18ff.
  ///
  /// Vendors use short UUIDs too (HM-10 uses ffe0), but never in this range.
  /// Source: Bluetooth SIG Assigned Numbers, 3.4.
  fileprivate var isStandardService: Bool {
    short.map { (0x1800...0x18ff).contains($0) } ?? false
  }

  /// A service through which a Bluetooth chip gets new firmware. It comes with the chip's software
  /// kit, and says nothing of what the device is.
  package var isUpdateService: Bool { Self.updateServices.contains(self) }

  private static let updateServices = Set(
    [
      // PHY62xx. Source: the manual of HOPERF's module HM-BT4502, 10.4.
      "5833ff01-9b8b-5191-6142-22a4536ef123",
      // Nordic: Secure DFU, and the older one of its SDK. Source: Nordic's nRF5 SDK.
      "fe59", "00001530-1212-efde-1523-785feabcd123",
      // Texas Instruments: OAD. Source: the guide to its SimpleLink SDK.
      "f000ffc0-0451-4000-b000-000000000000",
      // Telink: OTA. Source: Telink's BLE SDK, TELINK_OTA_UUID_SERVICE; Ai-Thinker's TB modules have it
      // beside their UART.
      "00010203-0405-0607-0809-0a0b0c0d1912",
      // Silicon Labs: OTA. Source: its application note AN1086.
      "1d14d6ee-fd63-4fa1-bfa4-8f47b42119f0",
      // MCUmgr's SMP. Source: Zephyr's documentation of its SMP transport.
      "8d53dc1d-1db7-4cd3-868b-8a527460aa84",
    ].compactMap { BluetoothUUID($0) }
  )
}
