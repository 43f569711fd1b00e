extension LinkFault {
  /// The fault as a word for programs. The words stay: phones choose their texts by them.
  package enum Code: String, CaseIterable, Sendable {
    case busUnreachable, serviceAbsent, serviceEnded, serviceSilent, signalsMissing,
      adapterMissing, adapterGone, adapterNotTakenUp, adapterOff, adapterBlocked,
      adapterWontPowerOn, adapterUnfit, scanFailed, machineNotSeen, notInOthersScan,
      machineListedOnly, nearlyNamed, addressTypeChanged, noneSaysMachine, onlyPerhaps,
      otherMachinesSeen, ambiguousMachines, onlyOtherMachines, machineGone, machineDropped,
      connectFailed, machineBlocked, connectTimedOut, connectedWithoutLink, servicesNotResolved,
      noUsableCharacteristic, ambiguousCharacteristics, needsAdoption, staleTable, linkLost,
      otherStack, writeUnanswered, discoveryStuck, machineHeld
  }

  package var code: Code {
    switch self {
    case .busUnreachable: .busUnreachable
    case .serviceAbsent: .serviceAbsent
    case .serviceEnded: .serviceEnded
    case .serviceSilent: .serviceSilent
    case .signalsMissing: .signalsMissing
    case .adapterMissing: .adapterMissing
    case .adapterGone: .adapterGone
    case .adapterNotTakenUp: .adapterNotTakenUp
    case .adapterOff: .adapterOff
    case .adapterBlocked: .adapterBlocked
    case .adapterWontPowerOn: .adapterWontPowerOn
    case .adapterUnfit: .adapterUnfit
    case .scanFailed: .scanFailed
    case .machineNotSeen: .machineNotSeen
    case .notInOthersScan: .notInOthersScan
    case .machineListedOnly: .machineListedOnly
    case .nearlyNamed: .nearlyNamed
    case .addressTypeChanged: .addressTypeChanged
    case .noneSaysMachine: .noneSaysMachine
    case .onlyPerhaps: .onlyPerhaps
    case .otherMachinesSeen: .otherMachinesSeen
    case .ambiguousMachines: .ambiguousMachines
    case .onlyOtherMachines: .onlyOtherMachines
    case .machineGone: .machineGone
    case .machineDropped: .machineDropped
    case .connectFailed: .connectFailed
    case .machineBlocked: .machineBlocked
    case .connectTimedOut: .connectTimedOut
    case .connectedWithoutLink: .connectedWithoutLink
    case .servicesNotResolved: .servicesNotResolved
    case .noUsableCharacteristic: .noUsableCharacteristic
    case .ambiguousCharacteristics: .ambiguousCharacteristics
    case .needsAdoption: .needsAdoption
    case .staleTable: .staleTable
    case .linkLost: .linkLost
    case .otherStack: .otherStack
    case .writeUnanswered: .writeUnanswered
    case .discoveryStuck: .discoveryStuck
    case .machineHeld: .machineHeld
    }
  }
}
