package import Clocks
package import CourtLogic

extension SafetyCore {
  /// Takes other rules, which count from now on; a countdown that runs keeps its end.
  package mutating func reconfigure(_ rules: SafetyRules, at instant: MonotonicInstant) {
    advance(to: instant)
    self.rules = rules
    if !isBallOnItsWay { endAtBallLimit() }
    settle()
  }

  /// A set of the drill is over: while live, no ball leaves for so long, the countdown that ends the
  /// rest included, nor before the machine has thrown the last one. The player may leave the court
  /// meanwhile.
  package mutating func rest(for duration: Duration, at instant: MonotonicInstant) {
    advance(to: instant)
    guard case .live(let live) = state else { return }
    let nextSet = max(now.advanced(by: duration), lastBallThrown)
    let end = max(now, nextSet.advanced(by: .zero - rules.countdown))
    enter(.resting(Resting(from: live, until: end, nextSet: nextSet)))
    settle()
  }

  /// The drill's last ball has left.
  package mutating func drillEnded(at instant: MonotonicInstant) {
    advance(to: instant)
    disarm(.drillOver)
  }

  /// The link can carry a command now, or no longer.
  package mutating func linkChanged(isReady: Bool, at instant: MonotonicInstant) {
    advance(to: instant)
    switch (link, isReady) {
    case (.ready, false):
      link = .lost(since: now)
      switch state {
      case .paused(let paused) where paused.reason.waitsForPerson: break
      // Its end looks at the link.
      case .resting: break
      default: pause(.linkLoss)
      }
    case (.lost, true):
      link = .ready
      stops.linked()
      switch state {
      case .pending(let pending):
        let end = now.advanced(by: pending.countdown ?? rules.countdown)
        let session = newSession(from: pending)
        enter(.countdown(Countdown(from: pending, beginning: session, end: end)))
      case .paused(let paused) where paused.reason == .linkLoss:
        if isSilent { pause(.silence) } else { goOn(from: paused, rules.countdown) }
      default: break
      }
    case (.ready, true), (.lost, false): break
    }
    settle()
  }

  /// A Bluetooth stack is seen. One of the other kind, SIM or REAL, has other machines, whether one is linked
  /// yet or not: who armed has seen another mode.
  package mutating func sawStack(isSimulated: Bool, at instant: MonotonicInstant) {
    defer { self.isSimulated = isSimulated }
    if let before = self.isSimulated, before != isSimulated { machineChanged(at: instant) }
  }

  /// Another machine is linked than the one that was there before, which may stand elsewhere.
  package mutating func machineChanged(at instant: MonotonicInstant) {
    advance(to: instant)
    let wasOwed = owesStop
    disarm(.otherMachine)
    payDebt()
    if case .stopped(let stopped) = state {
      // One that is on its way goes to this one.
      if !stops.isOnItsWay { stops.want() }
      if stopped == .ended(.confirmed) {
        // Not by this one; the one before has it.
        enter(.stopped(.onItsWay))
        return settle()
      }
    }
    if wasOwed || stops.isOnItsWay || stops.isDoubtful { stops.isForEarlierMachine = true }
    settle()
  }

  /// New clients can reach the service, or can't any more: then only a person who has mended that lets
  /// balls fly again.
  package mutating func setReachable(_ isReachable: Bool, at instant: MonotonicInstant) {
    advance(to: instant)
    self.isReachable = isReachable
    if !isReachable { pauseForPerson(.socketsGone) }
  }

  /// A client's connection has ended. If balls depend on it, only a person lets them go on.
  package mutating func clientGone(_ client: Int, at instant: MonotonicInstant) {
    advance(to: instant)
    guard state.client == client else { return }
    pauseForPerson(.clientGone)
    // What resumes then depends on it no longer.
    state.client = nil
  }

  /// The player was seen.
  ///
  /// - Parameters:
  ///   - doubt: why the player may not be there.
  ///   - instant: when the position arrived, which may be some time ago.
  package mutating func saw(
    _ position: PlayerPosition,
    doubt: SourceDoubt? = nil,
    at instant: MonotonicInstant
  ) {
    advance(to: instant)
    let wasDoubtful = sight.doubt != nil
    sight.saw(
      position,
      doubt: doubt,
      at: instant,
      greatestSpeed: rules.greatestSpeed
    )
    if case .paused(let paused) = state, paused.reason == .silence, !isSilent {
      goOn(from: paused, rules.countdown)
    } else if wasDoubtful, doubt == nil {
      seenAgain()
    }
    settle()
  }

  /// What the detector says is sure again: people may have moved while it was not.
  private mutating func seenAgain() {
    let end = now.advanced(by: rules.countdown)
    switch state {
    case .live(let live): enter(.countdown(Countdown(from: live, end: end)))
    case .countdown(var countdown):
      countdown.prolong(until: end)
      state = .countdown(countdown)
      since = now
    // All that leads back from there is a countdown.
    case .disarmed, .pending, .resting, .paused, .stopped: break
    }
  }

  /// The mean of the last second's positions has changed.
  package mutating func averaged(_ position: PlayerPosition, at instant: MonotonicInstant) {
    advance(to: instant)
    sight.averaged(position)
  }
}
