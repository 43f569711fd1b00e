import BlueZ
import CourtLogic

// From nothing, or from a failure, to the next attempt.

extension LinkStateMachine {
  /// Goes as far as the levels allow. Called when nothing is in flight.
  mutating func seek() {
    if let gap {
      wait(for: gap)
      return
    }
    environmentBackOff.reset()
    guard nextCleanUp == nil else {
      backOff(until: now)
      return
    }
    guard let adapter else { return }
    guard case .one(let recognised) = identity() else {
      discover(.search, adapter: adapter)
      return
    }
    let target = Target(recognised)
    if recognised.device.isConnected {
      resolve(Resolving(adopting: target, linkEpoch: recognised.device.linkEpoch))
    } else if let duration = nextScan {
      discover(.verify(target, duration), adapter: adapter)
    } else if recognised.by == .address {
      connect(to: target)
    } else {
      discover(.search, adapter: adapter)
    }
  }

  /// Which of the devices on our adapter is the machine.
  func identity(acceptsNewAddress: Bool = false) -> MachineIdentity {
    guard let adapter, let devices = levels.tree?.devices.values else { return .none }
    return MachineIdentity(
      among: devices.filter { $0.adapter == adapter.path },
      configuration: configuration,
      remembered: remembered,
      acceptsNewAddress: acceptsNewAddress,
      isInRange: \.isInRange
    )
  }

  /// The device that the present session is with.
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
    /// At once: the failure itself took its time, or what fell is there again.
    case atOnce
    /// As soon as it would be known that the adapter goes as well: it was a good link that fell.
    case afterFall
  }

  /// Ends the attempt or the session, and plans the next one.
  mutating func fail(_ fault: LinkFault, retry: Retry = .backingOff) {
    let failed = target
    self.fault = fault
    endSession(.linkLost)
    switch retry {
    case .atOnce:
      backOff(until: now)
    case .afterFall:
      backOff(until: now.advanced(by: timing.fall))
    case .backingOff:
      let delay = nextDelay()
      if let failed { escalate(failed) }
      backOff(until: now.advanced(by: delay))
    }
  }

  /// What failing again and again calls for, by the number of fast failures in a row.
  private mutating func escalate(_ failed: Target) {
    switch backOff.attempts {
    case 4:
      nextScan = timing.diagnosis
    case 6...:
      forget(failed.device)
    default:
      break
    }
    if backOff.attempts == 8, configuration.allowsPowerCycle, failed.adapter == adapter?.path,
      !othersAreConnected(failed)
    {
      powerCycle = .off(failed.adapter)
      adapterWasOn = false
    }
  }

  /// Has BlueZ forget the device and its cached GATT table: once, and never a paired one.
  mutating func forget(_ path: ObjectPath) {
    guard !removedOnce, let device = levels.tree?.devices[path], !device.isPaired else { return }
    removedOnce = true
    removal = path
  }

  private func othersAreConnected(_ target: Target) -> Bool {
    levels.tree?.devices.values.contains {
      $0.adapter == target.adapter && $0.path != target.device && $0.isConnected
    } ?? false
  }

  // MARK: Backing off

  mutating func backOff(until instant: MonotonicInstant) {
    transition(to: .backingOff(BackingOff(until: instant)))
    proceedBackingOff()
  }

  mutating func proceedBackingOff() {
    guard pending == nil, case .backingOff(let backingOff) = state else { return }
    if let cleanUp = nextCleanUp {
      begin(cleanUp, deadline: deadline(of: cleanUp))
    } else if now < backingOff.until {
      setTimer(.backOff, at: backingOff.until)
    } else {
      seek()
    }
  }

  /// What must be put in order before the next attempt, the most urgent first.
  var nextCleanUp: LinkOperation? {
    if let adapter = discoveryHeld { return .stopDiscovery(adapter: adapter) }
    if let device = linkToClose { return .disconnect(device) }
    // Somebody may have paired with it since.
    if let path = removal, let device = levels.tree?.devices[path], !device.isPaired {
      return .removeDevice(path, adapter: device.adapter)
    }
    switch powerCycle {
    case .off(let adapter): return .setPowered(false, adapter: adapter)
    case .on(let adapter): return .setPowered(true, adapter: adapter)
    case nil: break
    }
    if mustRefresh { return .observe(.everything) }
    return nil
  }

  private func deadline(of operation: LinkOperation) -> Duration {
    switch operation {
    case .disconnect, .removeDevice: timing.disconnect
    case .setPowered: timing.power
    default: timing.discovery
    }
  }

  /// Takes from an answer what holds in every state: which of our traces are gone.
  ///
  /// A clean-up that fails or is not answered is not tried again: what matters is that its answer
  /// was awaited.
  mutating func noteFinished(_ operation: LinkOperation, _ error: BlueZError?) {
    switch operation {
    case .startDiscovery:
      // Refused for certain: there is no session. In all other cases there may be one.
      if let error, error.kind != .timedOut, error.kind != .inProgress { discoveryHeld = nil }
    case .stopDiscovery: discoveryHeld = nil
    case .connect:
      // Success is a link, no answer may become one, and "in progress" is somebody's that is
      // still to come: all three are to be closed before another try.
      if let error, error.kind != .timedOut, error.kind != .inProgress { linkToClose = nil }
    case .disconnect: linkToClose = nil
    case .removeDevice:
      removal = nil
      mustRefresh = true
    case .setPowered(false, let adapter):
      if powerCycle != nil { powerCycle = .on(adapter) }
    case .setPowered(true, _): powerCycle = nil
    case .observe(let scope):
      mustRefresh = false
      isViewNarrow = scope != .everything
    case .openBus: isViewNarrow = false
    case .startService, .trust, .write: break
    }
  }
}
