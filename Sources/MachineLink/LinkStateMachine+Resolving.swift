import BlueZ

// From a link to a usable command characteristic, and what may change under it.

extension LinkStateMachine {
  mutating func resolve(_ resolving: Resolving) {
    var resolving = resolving
    if let device = levels.tree?.devices[resolving.target.device], device.areServicesResolved {
      resolving.servicesWereResolved(on: device.linkEpoch)
    }
    if resolving.target.evidence == .standing {
      unresolved = resolving.target.device
      if let device = levels.tree?.devices[resolving.target.device],
        configuration.adopts(device, isSimulated: isSimulated)
      {
        adoptedAddresses.insert(device.address)
      }
    }
    transition(to: .resolving(resolving))
    effects.setTimer(.services, after: retries.servicesLimit(timing))
    cleanUp.narrowView()
    effects.begin(.observe(.device(resolving.target.device)), deadline: timing.discovery)
  }

  mutating func operationFinished(_ error: BlueZError?, in resolving: Resolving) {
    if case .heldElsewhere(let holder)? = error?.kind {
      machineIsHeld(by: holder, in: resolving)
      return
    }
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
      // The objects that are there are what a fetch would bring.
      choose(resolving, isLast: false)
    case .observing:
      resolving.wait()
      replaceState(with: .resolving(resolving))
      check(resolving)
    case .fetching(let isLast): choose(resolving, isLast: isLast)
    case .waiting, .grace, .subscribing: break
    }
  }

  mutating func servicesAreLate(_ resolving: Resolving) {
    retries.servicesWereLate()
    // The link itself should have brought signals.
    if levels.awaitsFirstSignal { isDeaf = true }
    fail(.servicesNotResolved, in: resolving)
  }

  /// The link fell while its services were being resolved: there is nothing to close.
  ///
  /// BlueZ reports the end of a link in two signals. After the first one it looks like a link to
  /// adopt, and then it is the old one that fell.
  private mutating func lost(_ resolving: Resolving) {
    cleanUp.keepLink()
    if resolving.isFresh {
      fallen = resolving.target.device
      fail(.linkLost(end(of: resolving.target)), in: resolving)
    } else {
      fell(from: resolving.target, in: resolving)
    }
  }

  /// A good link fell. One that is there again is adopted after the fall: what still looks connected is mostly
  /// the old link, of whose end BlueZ tells in two signals, or in three.
  private mutating func fell(from target: Target, in state: some FallibleState) {
    fallen = target.device
    let isShown = levels.tree?.devices[target.device] != nil
    fail(.linkLost(end(of: target)), in: state, retry: isShown ? .afterFall : .atOnce)
  }

  private func end(of target: Target) -> LinkEnd? { levels.tree?.devices[target.device]?.linkEnd }

  /// BlueZ says why the link fell when it has said already that it did.
  mutating func noteLinkEnd() {
    guard case .backingOff = state, fault == .linkLost(nil), let fallen,
      let end = levels.tree?.devices[fallen]?.linkEnd
    else { return }
    fault = .linkLost(end)
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
    var resolving = resolving
    do throws(CommandCharacteristic.Absence) {
      let found: CommandCharacteristic
      do throws(CommandCharacteristic.Absence) {
        guard resolving.target.evidence != .owedStop else {
          throw .noneUsable(found: [])
        }
        found = try characteristic(of: resolving.target)
      } catch {
        // Where it has had balls from, it gets its stop command.
        guard let device = levels.tree?.devices[resolving.target.device], isOwedStop(device)
        else { throw error }
        found = try characteristic(of: resolving.target, onlyForStop: true)
        resolving.limitToStop()
      }
      subscribe(resolving, to: found)
    } catch {
      if isLast {
        giveUp(resolving, error)
      } else {
        resolving.waitInGrace()
        replaceState(with: .resolving(resolving))
        effects.setTimer(.grace, after: timing.grace)
      }
    }
  }

  /// - Parameter onlyForStop: whether nothing but the stop command that is owed will be written.
  func characteristic(
    of target: Target,
    onlyForStop: Bool = false
  ) throws(CommandCharacteristic.Absence) -> CommandCharacteristic {
    try CommandCharacteristic(
      from: levels.tree?.table(of: target.device) ?? [],
      profiles: configuration.profiles,
      trust: onlyForStop ? .adoption : trust(in: target)
    )
  }

  private func trust(in target: Target) -> CommandCharacteristic.Trust {
    guard let device = levels.tree?.devices[target.device] else { return .name }
    if adoptedAddresses.contains(device.address) { return .adoption }
    // A good link says more than a name.
    let isProven = proven?.isSame(as: device) == true
    return configuration.trust(
      in: device,
      by: isProven ? .address : target.evidence,
      isSimulated: isSimulated
    )
  }

  /// What BlueZ announces late has had its time: one last look.
  mutating func graceOver(_ resolving: Resolving) {
    guard resolving.phase == .grace else { return }
    fetch(resolving, isLast: true)
  }

  private mutating func giveUp(_ resolving: Resolving, _ absence: CommandCharacteristic.Absence) {
    let device = resolving.target.device
    let mayEnd = mayEndLink(of: resolving.target)
    if mayEnd { cleanUp.close(device) } else { cleanUp.keepLink() }
    switch absence {
    case .ambiguous(let found):
      fail(.ambiguousCharacteristics(found), in: resolving)
    case .noneUsable(let found):
      // BlueZ may show a table that it cached before the machine's firmware changed.
      if mayEnd { forget(device) }
      fail(.noUsableCharacteristic(found), in: resolving)
    case .needsAdoption(let found):
      guard let device = levels.tree?.devices[device] else { return }
      fail(.needsAdoption(device.unheard, found), in: resolving)
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
    let present = try? characteristic(of: resolving.target, onlyForStop: resolving.isForStopOnly)
    guard present == found else {
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
    let machine = memory(of: device, profile: found.profile.name)
    owed.visited = nil
    owed.isAsked = !lanes.isDone
    if resolving.isForStopOnly { owed.visited = machine } else { linked = machine }
    if let adapters = levels.tree?.adapters, let adapter = adapters[device.adapter] {
      pin.stay(with: adapter, among: adapters.values)
    }
    unresolved = nil
    doubted = [:]
    if let holder = effects.insistsAgainst {
      fault = .machineHeld(by: holder)
    } else if !resolving.isForStopOnly {
      fault = nil
    }
    cleanUp.keepLink()
    retries.linkReady()
    effects.setTimer(.stable, after: timing.stable)
    lanes.open(to: found, isHeard: answers == .heard, &effects)
  }

  mutating func linkHeld() {
    if case .ready(let ready) = state, ready.isForStopOnly {
      leaveAfterStop(ready)
      return
    }
    becameProven()
    series.end()
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
    let found = try? characteristic(of: ready.target, onlyForStop: ready.isForStopOnly)
    guard let found, found == ready.characteristic else {
      lanes.close(.linkLost, &effects)
      resolve(Resolving(from: ready))
      return
    }
  }
}
