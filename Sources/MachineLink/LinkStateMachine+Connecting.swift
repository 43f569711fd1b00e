import BlueZ
import Clocks
import Host

// From a known device to a link.

extension LinkStateMachine {
  /// - Parameter isHeard: whether a scan that has just ended heard it.
  mutating func connect(_ seeking: Seeking, to target: Target, isHeard: Bool) {
    if let linkEpoch = linkEpoch(of: target) {
      resolve(Resolving(from: seeking, adopting: linkEpoch, with: target))
      return
    }
    let allowed = retries.nextConnect(at: now)
    guard allowed <= now else {
      backOff(seeking, until: allowed)
      return
    }
    let connecting = Connecting(from: seeking, to: target, isHeard: isHeard)
    transition(to: .connecting(connecting))
    guard levels.tree?.devices[target.device] != nil else {
      cleanUp.refresh()
      fail(isHeard ? .machineDropped : .machineGone, in: connecting)
      return
    }
    if levels.tree?.devices[target.device]?.isTrusted == true {
      callConnect(connecting)
    } else {
      effects.begin(.trust(target.device), deadline: timing.call)
    }
  }

  /// The link that there is already, if there is one: another program may have made it.
  private func linkEpoch(of target: Target) -> UInt64? {
    guard let device = levels.tree?.devices[target.device], device.isConnected else { return nil }
    return device.linkEpoch
  }

  private mutating func callConnect(_ connecting: Connecting) {
    let target = connecting.target
    if let linkEpoch = linkEpoch(of: target) {
      resolve(Resolving(from: connecting, adopting: linkEpoch))
      return
    }
    var connecting = connecting
    connecting.call(at: now)
    replaceState(with: .connecting(connecting))
    retries.connectBegins(at: now)
    if let tree = levels.tree, let device = tree.devices[target.device] {
      made.connects(to: device, isSimulated: tree.isSimulated, owner: levels.owner)
    }
    cleanUp.close(target.device)
    effects.begin(.connect(target.device), deadline: timing.connect)
  }

  mutating func operationFinished(_ error: BlueZError?, in connecting: Connecting) {
    switch (connecting.phase, error?.kind) {
    case (_, .heldElsewhere(let holder)):
      machineIsHeld(by: holder, in: connecting)
    case (_, .objectGone):
      cleanUp.refresh()
      fail(gone(connecting), in: connecting)
    case (.trusting, _):
      // An untrusted device works as well, until its object is tidied away: no reason to give up.
      callConnect(connecting)
    case (.calling, nil):
      resolve(Resolving(from: connecting))
    case (.calling(let since), _):
      guard let error else { return }
      connectFailed(error, after: since.duration(to: now), connecting)
    }
  }

  private mutating func connectFailed(
    _ error: BlueZError,
    after duration: Duration,
    _ connecting: Connecting
  ) {
    let device = levels.tree?.devices[connecting.target.device]
    // A link that flapped up is closed, and that is awaited, before the next try.
    if error.connectCause == .linkedAlready || device?.isConnected == true {
      cleanUp.close(connecting.target.device)
    }
    let fault: LinkFault =
      if let device, device.isBlocked {
        .machineBlocked(device.address)
      } else {
        error.kind == .timedOut ? .connectTimedOut : .connectFailed(error)
      }
    guard duration >= timing.slowFailure else {
      fail(fault, in: connecting)
      return
    }
    retries.failedSlowly(scan: timing.scan)
    fail(fault, in: connecting, retry: .atOnce)
  }

  /// The device may vanish while a Connect is pending, which then is never answered.
  mutating func check(_ connecting: Connecting) {
    guard levels.tree?.devices[connecting.target.device] == nil else { return }
    fail(gone(connecting), in: connecting)
  }

  /// BlueZ removes what does not take connections as soon as the scan is over.
  /// Source: BlueZ src/adapter.c, `discovery_cleanup`.
  private func gone(_ connecting: Connecting) -> LinkFault {
    connecting.phase == .trusting && connecting.isHeard ? .machineDropped : .machineGone
  }
}
