package import Host

/// The link to the machine at one moment.
package struct LinkRecord: Codable, Hashable, Sendable {
  /// One of `idle`, `waitingForBlueZ`, `waitingForAdapter`, `discovering`, `connecting`, `resolving`,
  /// `ready`, `backingOff`, `shuttingDown` and `ended`.
  package var state: String
  /// When the state began, to the second.
  package var since: WallTime?
  /// `SIM` for a mock machine, `REAL` for one that throws balls; nil while that is not known.
  package var mode: String?
  /// The machine's Bluetooth address.
  package var machine: String?
  /// The machine's name.
  package var name: String?
  /// True if the machine was chosen because an earlier run used it.
  package var remembered: Bool?
  /// The UUID profile in use.
  package var profile: String?
  /// The UUID of the characteristic that takes the commands, while ready.
  package var characteristic: String?
  /// Devices that may be ball machines; nothing is written to them until a person adopts one. Nil: none.
  package var perhaps: [Perhaps]?
  /// The adapter's Bluetooth address.
  package var adapter: String?
  /// The adapter's name, such as `hci0`.
  package var adapterName: String?
  /// Whether the adapter can be used: one of `on`, `off`, `turningOn`, `turningOff`, `blocked`, `missing`
  /// and `unknown`.
  package var adapterState: String?
  /// Adapters that can't serve, in whose place this one is used; nil if there are none.
  package var passedOver: [PassedOverAdapter]?
  /// The signal's strength, in dBm.
  package var rssi: Int?
  /// How old that strength is, in seconds.
  package var rssiAge: Seconds?
  /// Which attempt to connect this is, from 1.
  package var attempt: Count?
  /// Attempts that failed in a row; nil if there are none.
  package var failures: Count?
  /// When the next attempt begins, in seconds on the service's clock.
  package var nextAttempt: Double?
  /// Commands in a row that the machine refused or did not answer; nil if there are none.
  package var refused: Count?
  /// The notifications in which a framed machine answers commands; nil for another machine. Counts begin
  /// with the service, and are absent if zero.
  package var notifications: Notifications?
  /// The reason as a word for programs. One of `busUnreachable`, `serviceAbsent`, `serviceEnded`,
  /// `serviceSilent`, `signalsMissing`, `adapterMissing`, `adapterGone`, `adapterNotTakenUp`,
  /// `adapterOff`, `adapterBlocked`, `adapterWontPowerOn`, `adapterUnfit`, `scanFailed`,
  /// `machineNotSeen`, `notInOthersScan`, `machineListedOnly`, `nearlyNamed`, `addressTypeChanged`,
  /// `noneSaysMachine`, `onlyPerhaps`, `otherMachinesSeen`, `ambiguousMachines`,
  /// `onlyOtherMachines`, `machineGone`, `machineDropped`, `connectFailed`, `machineBlocked`,
  /// `connectTimedOut`, `connectedWithoutLink`, `servicesNotResolved`, `noUsableCharacteristic`,
  /// `ambiguousCharacteristics`, `needsAdoption`, `staleTable`, `linkLost`, `otherStack`,
  /// `writeUnanswered`, `discoveryStuck`, `machineHeld` and `commandsNotTaken` (the machine is
  /// ready, and takes no commands).
  package var code: String?
  /// Why the machine is not ready, or that it takes no commands, in words.
  package var reason: String?
  /// What to do about it, in words.
  package var remedy: String?
  /// What works, but should be changed, in words.
  package var warning: String?

  package init(state: String) { self.state = state }

  package struct PassedOverAdapter: Codable, Hashable, Sendable {
    /// The adapter's Bluetooth address.
    package var adapter: String
    /// The adapter's name, such as `hci0`.
    package var adapterName: String
    /// Why it can't serve.
    package var reason: String

    package init(adapter: String, adapterName: String, reason: String) {
      self.adapter = adapter
      self.adapterName = adapterName
      self.reason = reason
    }

    /// The adapter and the reason, as a sentence.
    package var text: String { "\(adapterName) \(adapter) is passed over: \(reason)" }
  }

  /// A device that may be a ball machine.
  package struct Perhaps: Codable, Hashable, Sendable {
    /// The device's Bluetooth address.
    package var address: String
    /// One of `public` and `random`.
    package var addressType: String
    /// The name that it advertises.
    package var name: String?
    /// The known UUID profile that it advertises.
    package var profile: String?

    package init(address: String, addressType: String, name: String?, profile: String?) {
      self.address = address
      self.addressType = addressType
      self.name = name
      self.profile = profile
    }
  }

  /// A framed machine's notifications.
  package struct Notifications: Codable, Hashable, Sendable {
    /// Whether they come in; nil while the machine isn't ready.
    package var on: Bool?
    /// Why they don't.
    package var reason: String?
    /// Answers that came more than 2 s after their command.
    package var late: Count?
    /// Answers that were a second one of a kind, or came after the last one.
    package var doubled: Count?
    /// Answers for which no command had been written.
    package var unasked: Count?
    /// Answers that were cut, too long, or other bytes.
    package var malformed: Count?
    /// Answers whose check byte is wrong.
    package var wrongCheckByte: Count?
    /// Answers with the check byte that is not configured: these are taken.
    package var otherCheckByte: Count?

    package init() {}
  }
}
