package import BlueZ
package import CourtLogic

/// The link as its users see it. A value: whoever holds one holds a moment.
package struct LinkStatus: Hashable, Sendable {
  package enum Phase: String, Hashable, Sendable, CaseIterable {
    case idle
    case waitingForBlueZ
    case waitingForAdapter
    case discovering
    case connecting
    case resolving
    case ready
    case backingOff
    case shuttingDown
    case ended
  }

  package var phase = Phase.idle
  /// When this phase began.
  package var since: MonotonicInstant
  /// What keeps the link from being ready, or kept it the last time.
  package var fault: LinkFault?
  /// Failed attempts in a row.
  package var failures = 0
  /// When the next attempt begins, while backing off.
  package var nextAttempt: MonotonicInstant?
  package var machine: BluetoothAddress?
  package var machineName: String?
  /// Signal strength in dBm, when a scan has heard the machine.
  package var rssi: Int16?
  package var adapter: BluetoothAddress?
  /// The profile in use, while ready.
  package var profile: String?
  /// Whether it is that machine only because a link of an earlier run with it was good.
  package var isChosenByMemory = false
  /// The machine of this run's last link that proved good, which the next run should know: a command
  /// was delivered or queued, or the link held for 30 s. Nil for one whose address doesn't last.
  package var proven: RememberedMachine?
  /// Whether the stack is the mock: no ball is real. Nil until BlueZ's objects have been read.
  package var isSimulated: Bool?
  /// A machine with a public address may be paged over BR/EDR when the adapter has it enabled.
  package var mayUseClassicBluetooth = false

  package init(since: MonotonicInstant) {
    self.since = since
  }
}

extension LinkStatus {
  /// What a technician can do about the fault; nil when waiting is all, or there is none.
  package var remedy: String? {
    guard let remedy = fault?.remedy else { return nil }
    guard isChosenByMemory, fault?.isAboutAbsence == true else { return remedy }
    return "\(remedy); \(Self.otherMachine)"
  }

  /// What to do when the machine that memory has chosen is not the one that is meant.
  package static let otherMachine =
    "if another machine is meant, name it with --address, or start once with --forget-machine"
}
