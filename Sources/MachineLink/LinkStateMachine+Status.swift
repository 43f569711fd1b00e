import BlueZ
import Clocks

// What the machine shows of itself.

extension LinkStateMachine {
  func status(since: MonotonicInstant) -> LinkStatus {
    var status = LinkStatus(since: since)
    status.phase = state.phase
    status.fault = fault
    status.failures = retries.failures
    status.isLoop = series.isLoop(of: fault)
    status.refusals = lanes.refusals
    status.nextAttempt = nextAttempt
    status.isSimulated = isSimulated
    status.adapter = adapterStatus
    let choice = adapterChoice
    status.adapterDefect = choice.defect
    status.passedOver = choice.passedOver
    if let device = target.flatMap({ levels.tree?.devices[$0.device] }) {
      status.machine = device.address
      status.machineName = device.name
      status.mayUseClassicBluetooth =
        device.addressType == .public && adapter.map { $0.classOfDevice != 0 } == true
    } else {
      status.machine = configuration.address ?? expected?.address
    }
    if let heard, heard.machine == status.machine { status.signal = heard.signal }
    if case .ready(let ready) = state {
      status.profile = ready.characteristic.profile.name
      status.characteristic = ready.characteristic.uuid
      status.isForStopOnly = ready.isForStopOnly
      status.answers = ready.answers
    }
    status.oddAnswers = lanes.answers.oddities
    status.isChosenByMemory = earlierRunDecides
    status.linked = owed.visited ?? linked
    status.perhaps = fault?.adoptable.map { PossibleMachine($0, configuration) } ?? []
    status.made = made.link
    status.proven = proven
    return status
  }

  private var nextAttempt: MonotonicInstant? {
    switch state {
    // At once is no countdown.
    case .backingOff(let backingOff): backingOff.until > now ? backingOff.until : nil
    // Before anything has failed the timer is a deadline.
    case .waitingForBlueZ, .waitingForAdapter: fault == nil ? nil : effects.instant(of: .retry)
    default: nil
    }
  }

  private var adapterStatus: LinkStatus.AdapterStatus? {
    let wanted = configuration.adapter ?? pin.reference
    guard levels.tree != nil else {
      return wanted.map {
        LinkStatus.AdapterStatus(address: $0.address, name: $0.name, condition: .unknown)
      }
    }
    guard let adapter else {
      return LinkStatus.AdapterStatus(
        address: wanted?.address,
        name: wanted?.name,
        condition: .missing
      )
    }
    return LinkStatus.AdapterStatus(
      address: adapter.address,
      name: adapter.name,
      condition: adapter.isPowered ? .on : .off
    )
  }

  /// Keeps the signal strength that BlueZ shows, since it is gone when the scan stops.
  mutating func noteSignal() {
    if let heard, levels.tree?.devices[heard.device]?.strength == nil {
      self.heard?.isShown = false
    }
    guard let device = deviceInSight, let rssi = device.strength else { return }
    if let heard, heard.device == device.path, heard.isShown, heard.signal.rssi == rssi { return }
    heard = Heard(
      device: device.path,
      machine: device.address,
      signal: LinkStatus.Signal(rssi: rssi, heardAt: now)
    )
  }

  /// The device of the connection or, while scanning, the one that is being looked for.
  private var deviceInSight: Device? {
    guard let tree = levels.tree else { return nil }
    if let target { return tree.devices[target.device] }
    guard case .discovering(let discovering) = state,
      let address = configuration.address ?? expected?.address
    else { return nil }
    return tree.devices.values.first {
      $0.adapter == discovering.adapter && $0.address == address
    }
  }

  struct Heard: Hashable, Sendable {
    let device: ObjectPath
    let machine: BluetoothAddress
    let signal: LinkStatus.Signal
    /// Whether BlueZ has shown it ever since. The same number after a pause is another signal.
    var isShown = true
  }
}
