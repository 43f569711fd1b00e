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

  /// Why no characteristic was chosen.
  package enum Absence: Error, Hashable, Sendable {
    /// No profile fits; what the machine has instead.
    case noneUsable(found: [LocatedCharacteristic])
    /// More than one writable characteristic, and no way to know which is meant.
    case ambiguous([LocatedCharacteristic])
  }

  /// Chooses from a GATT table: the first profile that fits, by UUID and by `Flags`.
  package init(
    from table: [LocatedCharacteristic],
    profiles: [MachineProfile]
  ) throws(Absence) {
    for profile in profiles {
      let matching: [LocatedCharacteristic]
      switch profile.characteristics {
      case .uuids(let service, let write, _):
        matching = table.filter { $0.service == service && $0.characteristic.uuid == write }
      case .onlyWritable:
        matching = table.filter { !$0.service.isStandardService }
      }
      let usable = matching.filter(\.isWritable)
      guard let first = usable.first else { continue }
      guard usable.count == 1 else { throw .ambiguous(usable) }
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
}
