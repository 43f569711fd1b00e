import BlueZ
import CourtLogic

// From a known device to a usable command characteristic.

extension LinkStateMachine {
  // MARK: Connecting

  mutating func connect(to target: Target) {
    guard !adoptsLink(to: target) else { return }
    let allowed = budget.nextAllowed(at: now)
    guard allowed <= now else {
      backOff(until: allowed)
      return
    }
    transition(to: .connecting(Connecting(to: target, at: now)))
    if levels.tree?.devices[target.device]?.isTrusted == true {
      callConnect(target)
    } else {
      begin(.trust(target.device), deadline: timing.call)
    }
  }

  /// Takes over the link that somebody has made in the meantime, if there is one.
  private mutating func adoptsLink(to target: Target) -> Bool {
    guard let device = levels.tree?.devices[target.device], device.isConnected else { return false }
    resolve(Resolving(adopting: target, linkEpoch: device.linkEpoch))
    return true
  }

  private mutating func callConnect(_ target: Target) {
    guard !adoptsLink(to: target) else { return }
    var connecting = Connecting(to: target, at: now)
    connecting.phase = .calling
    state = .connecting(connecting)
    budget.record(at: now)
    linkToClose = target.device
    begin(.connect(target.device), deadline: timing.connect)
  }

  mutating func operationFinished(_ error: BlueZError?, in connecting: Connecting) {
    switch (connecting.phase, error?.kind) {
    case (_, .objectGone):
      mustRefresh = true
      fail(.machineGone)
    case (.trusting, _):
      // An untrusted device works as well, until its object is tidied away: no reason to give up.
      callConnect(connecting.target)
    case (.calling, nil):
      resolve(Resolving(from: connecting))
    case (.calling, _):
      guard let error else { return }
      connectFailed(error, connecting)
    }
  }

  private mutating func connectFailed(_ error: BlueZError, _ connecting: Connecting) {
    // A link that flapped up is closed, and that is awaited, before the next try.
    if levels.tree?.devices[connecting.target.device]?.isConnected == true {
      linkToClose = connecting.target.device
    }
    let fault =
      error.kind == .timedOut ? LinkFault.connectTimedOut : LinkFault.connectFailed(error)
    guard connecting.since.duration(to: now) >= timing.slowFailure else {
      fail(fault)
      return
    }
    slowFailures += 1
    if slowFailures >= 2, !lastAttemptScanned { nextScan = timing.scan }
    lastAttemptScanned = false
    fail(fault, retry: .atOnce)
  }

  /// The device may vanish while a Connect is pending, which then is never answered.
  mutating func check(_ connecting: Connecting) {
    guard levels.tree?.devices[connecting.target.device] == nil else { return }
    fail(.machineGone)
  }

  // MARK: Resolving

  mutating func resolve(_ resolving: Resolving) {
    var resolving = resolving
    if let device = levels.tree?.devices[resolving.target.device], device.areServicesResolved {
      resolving.resolvedBefore = device.linkEpoch
    }
    transition(to: .resolving(resolving))
    setTimer(.services, after: timing.services)
    begin(.observe(.device(resolving.target.device)), deadline: timing.discovery)
  }

  mutating func operationFinished(_ error: BlueZError?, in resolving: Resolving) {
    var resolving = resolving
    if let error {
      close(resolving.target)
      fail(.serviceSilent(error))
      return
    }
    guard let device = levels.tree?.devices[resolving.target.device] else {
      fail(.machineGone)
      return
    }
    // A Connect that replied success proves nothing: only now is it known.
    guard device.isConnected || !resolving.isFresh else {
      fail(.connectedWithoutLink)
      return
    }
    resolving.linkEpoch = resolving.linkEpoch ?? device.linkEpoch
    guard isCurrent(resolving.linkEpoch, device) else {
      lost(resolving)
      return
    }
    linkToClose = device.path
    switch resolving.phase {
    case .observing where resolving.resolvedBefore == device.linkEpoch:
      // These objects are what would be fetched.
      choose(resolving, isLast: false)
    case .observing:
      resolving.phase = .waiting
      state = .resolving(resolving)
      check(resolving)
    case .fetching(let isLast): choose(resolving, isLast: isLast)
    case .waiting, .grace: break
    }
  }

  /// The link fell while its services were being resolved: there is nothing to close.
  ///
  /// BlueZ tells the end of a link in two signals. After the first one it looks like a link to
  /// adopt, and then it is the old one that fell.
  private mutating func lost(_ resolving: Resolving) {
    linkToClose = nil
    if resolving.isFresh { fail(.linkLost) } else { fell(from: resolving.target) }
  }

  /// A good link fell. One that is there again is adopted at once.
  private mutating func fell(from target: Target) {
    let isDown = levels.tree?.devices[target.device]?.isConnected == false
    fail(.linkLost, retry: isDown ? .afterFall : .atOnce)
  }

  mutating func check(_ resolving: Resolving) {
    guard let device = levels.tree?.devices[resolving.target.device] else {
      fail(.machineGone)
      return
    }
    guard resolving.linkEpoch != nil else { return }
    guard isCurrent(resolving.linkEpoch, device) else {
      lost(resolving)
      return
    }
    if resolving.phase == .waiting, device.areServicesResolved { fetch(resolving, isLast: false) }
  }

  /// Reads the objects after services are known to be resolved: only such a snapshot has the whole
  /// table. What signals have told by now may be half of it, and half a table looks unambiguous.
  private mutating func fetch(_ resolving: Resolving, isLast: Bool) {
    var resolving = resolving
    resolving.phase = .fetching(isLast: isLast)
    state = .resolving(resolving)
    begin(.observe(.device(resolving.target.device)), deadline: timing.discovery)
  }

  private func isCurrent(_ epoch: UInt64?, _ device: Device) -> Bool {
    device.isConnected && device.linkEpoch == epoch
  }

  private mutating func choose(_ resolving: Resolving, isLast: Bool) {
    do throws(CommandCharacteristic.Absence) {
      becomeReady(resolving, try characteristic(of: resolving.target))
    } catch {
      if isLast {
        giveUp(resolving.target, error)
      } else {
        var resolving = resolving
        resolving.phase = .grace
        state = .resolving(resolving)
        setTimer(.grace, after: timing.grace)
      }
    }
  }

  func characteristic(
    of target: Target
  ) throws(CommandCharacteristic.Absence) -> CommandCharacteristic {
    try CommandCharacteristic(
      from: levels.tree?.table(of: target.device) ?? [],
      profiles: target.evidence.allowed(of: configuration.profiles)
    )
  }

  /// What BlueZ announces late has had its time: one last look.
  mutating func graceOver(_ resolving: Resolving) {
    guard resolving.phase == .grace else { return }
    fetch(resolving, isLast: true)
  }

  private mutating func giveUp(_ target: Target, _ absence: CommandCharacteristic.Absence) {
    close(target)
    switch absence {
    case .ambiguous(let found):
      fail(.ambiguousCharacteristics(found))
    case .noneUsable(let found):
      // BlueZ may show a table that it cached before the machine's firmware changed.
      forget(target.device)
      fail(.noUsableCharacteristic(found))
    }
  }

  /// Nothing is under the handle any more: the machine's firmware changed and BlueZ was not told.
  mutating func tableIsStale(_ ready: Ready) {
    close(ready.target)
    forget(ready.target.device)
    fail(.staleTable)
  }

  private mutating func close(_ target: Target) {
    linkToClose = target.device
  }

  // MARK: Ready

  private mutating func becomeReady(_ resolving: Resolving, _ found: CommandCharacteristic) {
    guard let epoch = resolving.linkEpoch,
      let device = levels.tree?.devices[resolving.target.device]
    else { return }
    transition(
      to: .ready(Ready(from: resolving, linkEpoch: epoch, characteristic: found))
    )
    linked = memory(of: device, profile: found.profile.name)
    fault = nil
    linkToClose = nil
    slowFailures = 0
    lastAttemptScanned = false
    nextScan = nil
    setTimer(.stable, after: timing.stable)
    stop?.commandTried = false
    stop?.commandsTaken = 0
    pump()
  }

  mutating func becameStable() {
    becameProven()
    backOff.reset()
    budget.reset()
    removedOnce = false
  }

  mutating func check(_ ready: Ready) {
    guard let device = levels.tree?.devices[ready.target.device],
      isCurrent(ready.linkEpoch, device), device.areServicesResolved
    else {
      fell(from: ready.target)
      return
    }
    // The machine's table may change under a living link.
    guard let found = try? characteristic(of: ready.target), found == ready.characteristic else {
      endSession(.linkLost)
      resolve(Resolving(again: ready))
      return
    }
  }
}

extension BlueZError.Kind {
  /// ATT: Invalid Handle.
  static let staleHandle = Self.attribute(0x01)
}
