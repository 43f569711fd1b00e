import BlueZ

// From a link to a usable command characteristic, and what may change under it.

extension LinkStateMachine {
  mutating func resolve(_ resolving: Resolving) {
    var resolving = resolving
    if let device = levels.tree?.devices[resolving.target.device], device.areServicesResolved {
      resolving.servicesWereResolved(on: device.linkEpoch)
    }
    if resolving.target.evidence == .profile { unresolved = resolving.target.device }
    transition(to: .resolving(resolving))
    effects.setTimer(.services, after: timing.services)
    cleanUp.narrowView()
    effects.begin(.observe(.device(resolving.target.device)), deadline: timing.discovery)
  }

  mutating func operationFinished(_ error: BlueZError?, in resolving: Resolving) {
    if case .subscribing(let found) = resolving.phase {
      subscribed(resolving, to: found, error)
      return
    }
    var resolving = resolving
    if let error {
      cleanUp.close(resolving.target.device)
      fail(.serviceSilent(error), in: resolving)
      return
    }
    guard let device = levels.tree?.devices[resolving.target.device] else {
      fail(.machineGone, in: resolving)
      return
    }
    // A Connect that replied success proves nothing: only now is it known.
    guard device.isConnected || !resolving.isFresh else {
      fail(.connectedWithoutLink, in: resolving)
      return
    }
    resolving.found(device.linkEpoch)
    guard isCurrent(resolving.linkEpoch, device) else {
      lost(resolving)
      return
    }
    cleanUp.close(device.path)
    switch resolving.phase {
    case .observing where resolving.resolvedBefore == device.linkEpoch:
      // These objects are what would be fetched.
      choose(resolving, isLast: false)
    case .observing:
      resolving.wait()
      replaceState(with: .resolving(resolving))
      check(resolving)
    case .fetching(let isLast): choose(resolving, isLast: isLast)
    case .waiting, .grace, .subscribing: break
    }
  }

  /// The link fell while its services were being resolved: there is nothing to close.
  ///
  /// BlueZ reports the end of a link in two signals. After the first one it looks like a link to
  /// adopt, and then it is the old one that fell.
  private mutating func lost(_ resolving: Resolving) {
    cleanUp.keepLink()
    if resolving.isFresh {
      fail(.linkLost, in: resolving)
    } else {
      fell(from: resolving.target, in: resolving)
    }
  }

  /// A good link fell. One that is there again is adopted at once.
  private mutating func fell(from target: Target, in state: some FallibleState) {
    let isDown = levels.tree?.devices[target.device]?.isConnected == false
    fail(.linkLost, in: state, retry: isDown ? .afterFall : .atOnce)
  }

  mutating func check(_ resolving: Resolving) {
    guard let device = levels.tree?.devices[resolving.target.device] else {
      fail(.machineGone, in: resolving)
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
  /// table. Signals may have brought half of it by now, and half a table looks unambiguous.
  private mutating func fetch(_ resolving: Resolving, isLast: Bool) {
    var resolving = resolving
    resolving.fetch(isLast: isLast)
    replaceState(with: .resolving(resolving))
    effects.begin(.observe(.device(resolving.target.device)), deadline: timing.discovery)
  }

  private func isCurrent(_ epoch: UInt64?, _ device: Device) -> Bool {
    device.isConnected && device.linkEpoch == epoch
  }

  private mutating func choose(_ resolving: Resolving, isLast: Bool) {
    do throws(CommandCharacteristic.Absence) {
      subscribe(resolving, to: try characteristic(of: resolving.target))
    } catch {
      if isLast {
        giveUp(resolving, error)
      } else {
        var resolving = resolving
        resolving.waitInGrace()
        replaceState(with: .resolving(resolving))
        effects.setTimer(.grace, after: timing.grace)
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

  private mutating func giveUp(_ resolving: Resolving, _ absence: CommandCharacteristic.Absence) {
    let device = resolving.target.device
    cleanUp.close(device)
    switch absence {
    case .ambiguous(let found):
      fail(.ambiguousCharacteristics(found), in: resolving)
    case .noneUsable(let found):
      // BlueZ may show a table that it cached before the machine's firmware changed.
      forget(device)
      fail(.noUsableCharacteristic(found), in: resolving)
    }
  }

  /// Nothing is under the handle any more: the machine's firmware changed without notice to BlueZ.
  mutating func tableIsStale(_ ready: Ready) {
    cleanUp.close(ready.target.device)
    forget(ready.target.device)
    fail(.staleTable, in: ready)
  }

  // MARK: Answers

  /// Asks for the machine's answers, if it has any, before the first command.
  private mutating func subscribe(_ resolving: Resolving, to found: CommandCharacteristic) {
    guard configuration.encoding.hasAnswers else {
      becomeReady(resolving, found, answers: nil)
      return
    }
    guard let answers = found.answers else {
      becomeReady(
        resolving,
        found,
        answers: .unheard("the machine has no characteristic that notifies")
      )
      return
    }
    var resolving = resolving
    resolving.subscribe(found)
    replaceState(with: .resolving(resolving))
    effects.cancelTimer(.services)
    effects.begin(.startNotify(answers), deadline: timing.call)
  }

  /// Without answers the link is as good as one to a machine that has none.
  private mutating func subscribed(
    _ resolving: Resolving,
    to found: CommandCharacteristic,
    _ error: BlueZError?
  ) {
    guard (try? characteristic(of: resolving.target)) == found else {
      // The machine's table has changed meanwhile.
      choose(resolving, isLast: false)
      return
    }
    // In progress: it notifies this program already.
    if let error, error.kind != .inProgress {
      becomeReady(resolving, found, answers: .unheard(error.description))
    } else {
      becomeReady(resolving, found, answers: .heard)
    }
  }

  // MARK: Ready

  private mutating func becomeReady(
    _ resolving: Resolving,
    _ found: CommandCharacteristic,
    answers: LinkStatus.Answers?
  ) {
    guard let epoch = resolving.linkEpoch,
      let device = levels.tree?.devices[resolving.target.device]
    else { return }
    transition(
      to: .ready(
        Ready(from: resolving, linkEpoch: epoch, characteristic: found, answers: answers)
      )
    )
    linked = memory(of: device, profile: found.profile.name)
    if let adapter = levels.tree?.adapters[device.adapter] { pin.stay(with: adapter) }
    unresolved = nil
    fault = nil
    cleanUp.keepLink()
    retries.linkReady()
    effects.setTimer(.stable, after: timing.stable)
    lanes.open(to: found, isHeard: answers == .heard, &effects)
  }

  mutating func linkHeld() {
    becameProven()
    retries.linkHeld()
  }

  mutating func check(_ ready: Ready) {
    guard let device = levels.tree?.devices[ready.target.device],
      isCurrent(ready.linkEpoch, device), device.areServicesResolved
    else {
      fell(from: ready.target, in: ready)
      return
    }
    // The machine's table may change under a living link.
    guard let found = try? characteristic(of: ready.target), found == ready.characteristic else {
      lanes.close(.linkLost, &effects)
      resolve(Resolving(from: ready))
      return
    }
  }
}
