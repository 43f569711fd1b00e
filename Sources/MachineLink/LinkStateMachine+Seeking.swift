import BlueZ
import Clocks
import Host

// From nothing, or from a failure, to the next attempt.

extension LinkStateMachine {
  /// Goes as far as the levels allow.
  mutating func seek(_ seeking: Seeking) {
    if let gap {
      wait(seeking, for: gap)
      return
    }
    retries.environmentChanged()
    if fault?.isAboutEnvironment == true { fault = nil }
    guard cleanUp.next(in: levels.tree) == nil else {
      backOff(seeking, until: now)
      return
    }
    guard let adapter else { return }
    guard case .one(let recognised) = identity() else {
      discover(seeking, .search, on: adapter)
      return
    }
    let target = Target(recognised)
    if recognised.device.isConnected {
      let linkEpoch = recognised.device.linkEpoch
      resolve(Resolving(from: seeking, adopting: linkEpoch, with: target))
    } else if let duration = retries.nextScan {
      discover(seeking, .verify(target, duration), on: adapter)
    } else if recognised.by == .address {
      connect(seeking, to: target, isHeard: false)
    } else {
      discover(seeking, .search, on: adapter)
    }
  }

  /// Which of the devices on our adapter is the machine.
  func identity(acceptsNewAddress: Bool = false) -> MachineIdentity {
    guard let adapter, let devices = levels.tree?.devices.values else { return .none }
    return MachineIdentity(
      among: devices.filter { $0.adapter == adapter.path },
      configuration: configuration,
      expected: expected,
      acceptsNewAddress: acceptsNewAddress,
      memoryDecides: memoryDecides,
      isSimulated: isSimulated,
      isOwed: isOwedStop,
      isInRange: isInRange
    )
  }

  func isInRange(_ device: Device) -> Bool { device.isInRange(since: scanMark) }

  /// What BlueZ had heard when the scan began that is on.
  private var scanMark: UInt64? {
    guard case .discovering(let discovering) = state else { return nil }
    return discovering.heardBefore
  }

  /// The device that the present attempt is for, or the link is with.
  var target: Target? {
    switch state {
    case .discovering(let discovering):
      switch (discovering.phase, discovering.purpose) {
      case (.stopping(.connect(let target)), _), (_, .verify(let target, _)): target
      default: nil
      }
    case .connecting(let connecting): connecting.target
    case .resolving(let resolving): resolving.target
    case .ready(let ready): ready.target
    default: nil
    }
  }

  // MARK: Failing

  enum Retry {
    /// After the next delay.
    case backingOff
    /// At once: the failure itself took its time.
    case atOnce
    /// Try again as soon as it would be known that the adapter goes as well: it was a good link
    /// that fell.
    case afterFall
  }

  /// Ends the attempt or the link, and plans the next one.
  mutating func fail(
    _ fault: LinkFault,
    in state: some FallibleState,
    retry: Retry = .backingOff
  ) {
    let failed = target
    // Without signals nothing that is seen is to be relied on.
    let fault = isDeaf && levels.awaitsFirstSignal ? LinkFault.signalsMissing : fault
    self.fault = fault
    series.add(fault)
    lanes.close(.linkLost, &effects)
    switch retry {
    case .atOnce:
      backOff(state, until: now)
    case .afterFall:
      backOff(state, until: now.advanced(by: timing.fall))
    case .backingOff:
      let delay = retries.failedFast()
      if let failed { escalate(failed) }
      backOff(state, until: now.advanced(by: delay))
    }
  }

  // MARK: A machine that another process has

  /// Nothing of it is touched, not its link either. It is tried again, in case that process ends. A stop
  /// goes out all the same.
  mutating func machineIsHeld(by holder: MachineHolder, in state: some FallibleState) {
    cleanUp.keepLink()
    fault = .machineHeld(by: holder)
    lanes.close(.linkLost, &effects)
    let insists = lanes.isStopWanted && effects.insistsAgainst == nil
    effects.insistsAgainst = insists ? holder : nil
    backOff(state, until: insists ? now : now.advanced(by: timing.held))
  }

  /// A stop is wanted, and another process has the machine.
  mutating func insistIfHeld() {
    guard lanes.isStopWanted, case .backingOff(let backingOff) = state, let holder = fault?.holder
    else { return }
    effects.insistsAgainst = holder
    guard effects.pending == nil else { return }
    effects.cancelTimer(.backOff)
    seek(Seeking(from: backingOff))
  }

  /// The stop is through: the machine is the other process's again.
  mutating func insistNoLonger() {
    guard let holder = effects.insistsAgainst, !lanes.isStopWanted, case .ready(let ready) = state
    else { return }
    machineIsHeld(by: holder, in: ready)
  }

  private mutating func escalate(_ failed: Target) {
    guard mayEndLink(of: failed) else { return }
    switch retries.escalation {
    case .scan: retries.scanNext(for: timing.diagnosis)
    case .remove: forget(failed.device)
    case .removeAndCyclePower:
      forget(failed.device)
      guard configuration.allowsPowerCycle, failed.adapter == nextAdapter?.path,
        !othersAreConnected(failed)
      else { return }
      cleanUp.cyclePower(of: failed.adapter)
      pin.forgetPower()
    case nil: break
    }
  }

  /// Has BlueZ forget the device and its cached GATT table: once, and never a paired one.
  mutating func forget(_ path: ObjectPath) {
    guard let device = levels.tree?.devices[path], !device.isPaired, retries.takeRemoval() else {
      return
    }
    cleanUp.remove(path)
  }

  /// Whether a link with the device may be ended although it does not fail by itself: not one that
  /// another program has made, with a device that has never served us.
  func mayEndLink(of target: Target) -> Bool {
    guard let device = levels.tree?.devices[target.device], device.isConnected else { return true }
    return target.evidence == .address || made.isWith(device)
  }

  private func othersAreConnected(_ target: Target) -> Bool {
    levels.tree?.devices.values.contains {
      $0.adapter == target.adapter && $0.path != target.device && $0.isConnected
    } ?? false
  }

  // MARK: Backing off

  mutating func backOff(_ state: some FallibleState, until instant: MonotonicInstant) {
    transition(to: .backingOff(BackingOff(from: state, until: instant)))
    proceedBackingOff()
  }

  mutating func proceedBackingOff() {
    guard effects.pending == nil, case .backingOff(let backingOff) = state else { return }
    if let operation = cleanUp.next(in: levels.tree) {
      effects.begin(operation, deadline: deadline(of: operation))
    } else if now < backingOff.until {
      effects.setTimer(.backOff, at: backingOff.until)
    } else {
      seek(Seeking(from: backingOff))
    }
  }

  private func deadline(of operation: LinkOperation) -> Duration {
    switch operation {
    case .disconnect, .removeDevice: timing.disconnect
    case .setPowered: timing.power
    default: timing.discovery
    }
  }
}
