package import Programs

extension Finding {
  /// What was found: the subject, a full stop, and its state. Stable: scripts read the codes.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    case configurationValid = "config.valid"
    case configurationInvalid = "config.invalid"
    case configurationBlank = "config.blank"

    case tableValid = "table.valid"
    case tableInvalid = "table.invalid"

    case busAnswers = "bus.answers"
    case busUnreachable = "bus.unreachable"
    case busRefused = "bus.refused"

    case bluetoothdRuns = "bluetoothd.runs"
    case bluetoothdSimulated = "bluetoothd.simulated"
    case bluetoothdAbsent = "bluetoothd.absent"
    case bluetoothdSilent = "bluetoothd.silent"
    case bluetoothdRestarts = "bluetoothd.restarts"
    case bluetoothdStaysDown = "bluetoothd.stays-down"
    /// systemd has restarted it, after it ended by itself.
    case bluetoothdRestarted = "bluetoothd.restarted"
    /// The version of bluetoothd is known to end by itself.
    case bluetoothdDefect = "bluetoothd.defect"
    /// It is unknown whether bluetoothd comes back by itself.
    case bluetoothdUnsupervised = "bluetoothd.unsupervised"

    case permissionGranted = "permission.granted"
    case permissionRefused = "permission.refused"
    /// The bus passes calls to bluetoothd, but none of its signals.
    case permissionNoSignals = "permission.no-signals"

    case kernelController = "kernel.controller"
    case kernelErrors = "kernel.errors"
    case kernelNoAddress = "kernel.no-address"
    case kernelNoController = "kernel.no-controller"
    case kernelNoBluetooth = "kernel.no-bluetooth"
    case kernelUnknown = "kernel.unknown"
    case kernelDefect = "kernel.defect"
    /// The adapter shares its antenna with Wi-Fi that is connected.
    case kernelSharedAntenna = "kernel.shared-antenna"

    case rfkillClear = "rfkill.clear"
    case rfkillBlocked = "rfkill.blocked"

    case adapterOn = "adapter.on"
    case adapterOff = "adapter.off"
    case adapterScanning = "adapter.scanning"
    case adapterMissing = "adapter.missing"
    case adapterNoCentral = "adapter.no-central"
    /// The adapter's address is all zero.
    case adapterNoAddress = "adapter.no-address"
    /// The adapter can't serve, and another one is used in its place.
    case adapterPassedOver = "adapter.passed-over"
    case adapterSeveral = "adapter.several"

    case machineKnown = "machine.known"
    case machineUnknown = "machine.unknown"
    case machineAmbiguous = "machine.ambiguous"
    case machineBlocked = "machine.blocked"
    case machineConnected = "machine.connected"
    /// The machine is connected, but not by a running bridge.
    case machineHeld = "machine.held"
    /// BlueZ may page it over classic Bluetooth.
    case machineDualMode = "machine.dual-mode"

    case signalHeard = "signal.heard"
    case signalNotHeard = "signal.not-heard"
    case signalFailed = "signal.failed"

    case connectionMade = "connection.made"
    case connectionFailed = "connection.failed"
    case connectionUntried = "connection.untried"

    case servicesFound = "services.found"
    /// No characteristic of the machine takes commands under a known UUID.
    case servicesUnknown = "services.unknown"
    case servicesAmbiguous = "services.ambiguous"
    /// Another program has taken the characteristic for itself.
    case servicesAcquired = "services.acquired"

    case lockFree = "lock.free"
    case lockHeld = "lock.held"

    /// An earlier program could not get its stop command through.
    case stopOwed = "stop.owed"
    /// This user may not read what the service keeps.
    case stopUnknown = "stop.unknown"

    case serviceRuns = "service.runs"
    case serviceOtherVersion = "service.other-version"
    case serviceRefused = "service.refused"
    /// The service's machine takes no commands.
    case serviceCommandsRefused = "service.commands-refused"
    /// The detector may hang.
    case serviceDetectorRepeats = "service.detector-repeats"
    case serviceSilent = "service.silent"
    case serviceStopped = "service.stopped"
    case serviceFailed = "service.failed"
    case serviceDisabled = "service.disabled"
    case serviceNotInstalled = "service.not-installed"

    case answersHeard = "answers.heard"
    case answersUnheard = "answers.unheard"
    case answersOdd = "answers.odd"
    /// The answers have the check byte that is not configured.
    case answersOtherCheckByte = "answers.other-check-byte"

    case socketsPresent = "sockets.present"
    case socketsMissing = "sockets.missing"
    case socketsClosed = "sockets.closed"
    case socketsUnsafe = "sockets.unsafe"

    case groupsPresent = "groups.present"
    case groupsMissing = "groups.missing"

    case diskEnough = "disk.enough"
    case diskLow = "disk.low"
    case diskUnknown = "disk.unknown"
    case diskUnused = "disk.unused"
    /// The kernel makes a failing card read-only.
    case diskReadOnly = "disk.read-only"

    case powerEnough = "power.enough"
    case powerLow = "power.low"

    case clockKept = "clock.kept"
    case clockUnkept = "clock.unkept"
    /// The clock shows a time at which this program did not exist yet.
    case clockUnset = "clock.unset"

    package var subject: Subject {
      let name = rawValue.prefix { $0 != "." }
      guard let subject = Subject(rawValue: String(name)) else {
        preconditionFailure("“\(rawValue)” has no subject")
      }
      return subject
    }
  }
}
