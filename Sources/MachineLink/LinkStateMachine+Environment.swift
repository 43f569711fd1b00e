import BlueZ
import CourtLogic

// Bus, bluetoothd, adapter, power: what must be there before anything else.

extension LinkStateMachine {
  enum Gap: Hashable {
    case bus
    case service
    case objects
    case adapterMissing
    case adapterOff(ObjectPath)
  }

  /// What is missing around us, if anything.
  var gap: Gap? {
    guard levels.isBusConnected else { return .bus }
    guard levels.owner != nil else { return .service }
    guard levels.tree != nil else { return .objects }
    guard let adapter else { return .adapterMissing }
    // While we cycle its power ourselves, being off is no news.
    if !adapter.isPowered, powerCycle == nil { return .adapterOff(adapter.path) }
    return nil
  }

  /// The adapter that the link uses: the pinned one, wherever it is plugged in.
  var adapter: Adapter? {
    levels.tree.flatMap {
      configuration.adapter(
        among: $0.adaptersInOrder,
        pinned: pinnedAdapter,
        remembered: remembered?.adapter
      )
    }
  }

  /// Draws from new levels what must outlive them.
  mutating func noteLevels() {
    let devices = levels.tree?.devices
    if devices == nil || linkToClose.map({ devices?[$0] == nil }) == true { linkToClose = nil }
    if devices == nil || removal.map({ devices?[$0] == nil }) == true { removal = nil }
    // BlueZ ends discovery sessions with its own life, the adapter's, and the adapter's power.
    if let held = discoveryHeld, levels.tree?.adapters[held]?.isPowered != true {
      discoveryHeld = nil
    }
    guard let adapter else {
      adapterWasOn = false
      powerCycle = nil
      return
    }
    // Of no use any more if the adapter that is to be switched off was a stand-in.
    if case .off(let path) = powerCycle, path != adapter.path { powerCycle = nil }
    if adapter.isPowered, powerCycle == nil {
      adapterWasOn = true
      pinnedAdapter = pinnedAdapter ?? adapter.address
    }
  }

  // MARK: Waiting

  /// Ends whatever session there is, since its ground is gone.
  mutating func leave(for gap: Gap) {
    endSession(.linkLost)
    wait(for: gap)
  }

  mutating func wait(for gap: Gap) {
    switch gap {
    case .bus: wait(.init(need: .bus))
    case .service: wait(.init(need: .service))
    case .objects: wait(.init(need: .objects))
    case .adapterMissing:
      wait(.init(need: .presence))
    case .adapterOff(let path):
      // What rfkill took away comes back with its block; no person has switched this adapter off.
      if levels.kernel?.block(of: adapter) != nil { adapterWasOn = false }
      wait(.init(need: adapterWasOn ? .consent(path) : .power(path)))
    }
  }

  private mutating func wait(_ waiting: WaitingForBlueZ) {
    if case .waitingForBlueZ(waiting) = state { return }
    transition(to: .waitingForBlueZ(waiting))
    environmentBackOff.reset()
    switch waiting.need {
    case .bus:
      begin(.openBus, deadline: timing.call)
    case .service:
      fault = .serviceAbsent
      if configuration.startsService { setTimer(.retry, after: timing.serviceAbsence) }
    case .objects:
      // The client reads them by itself; only if that fails, ask again.
      setTimer(.retry, after: timing.discovery)
    }
  }

  private mutating func wait(_ waiting: WaitingForAdapter) {
    fault = faultInLevels(waiting.need) ?? fault
    if case .waitingForAdapter(waiting) = state { return }
    transition(to: .waitingForAdapter(waiting))
    environmentBackOff.reset()
    switch waiting.need {
    case .presence:
      // It may come back under another path, which a narrow view would not show.
      begin(.observe(.everything), deadline: timing.discovery)
    case .power(let path):
      begin(.setPowered(true, adapter: path), deadline: timing.power)
    case .consent: break
    }
  }

  /// What is the matter by the levels alone; nil if only the attempt to switch it on can tell.
  private func faultInLevels(_ need: WaitingForAdapter.Need) -> LinkFault? {
    switch need {
    case .presence:
      LinkFault(noAdapter: configuration.adapter ?? pinnedAdapter, kernel: levels.kernel)
    case .power: levels.kernel?.block(of: adapter).map(LinkFault.adapterBlocked)
    case .consent: .adapterOff
    }
  }

  mutating func operationFinished(_ error: BlueZError?, in waiting: WaitingForBlueZ) {
    switch (waiting.need, error) {
    case (.bus, let error?): fault = .busUnreachable(error)
    case (.objects, let error?): fault = .serviceSilent(error)
    default: break
    }
    setTimer(.retry, after: max(nextEnvironmentDelay(), retryFloor(waiting)))
  }

  /// The bus is asked to start bluetoothd no more often than every 5 s; the rest just backs off.
  private func retryFloor(_ waiting: WaitingForBlueZ) -> Duration {
    waiting.need == .service ? timing.serviceAbsence : .zero
  }

  mutating func retry(_ waiting: WaitingForBlueZ) {
    switch waiting.need {
    case .bus: begin(.openBus, deadline: timing.call)
    case .service: begin(.startService, deadline: timing.call)
    case .objects: begin(.observe(.everything), deadline: timing.discovery)
    }
  }

  mutating func operationFinished(_ error: BlueZError?, in waiting: WaitingForAdapter) {
    guard case .power = waiting.need else { return }
    if let error {
      fault = LinkFault(powerOnRefused: error, adapter: adapter, kernel: levels.kernel)
    }
    // Success shows in the levels; if it never does, ask again.
    setTimer(.retry, after: nextEnvironmentDelay())
  }

  mutating func retry(_ waiting: WaitingForAdapter) {
    guard case .power(let path) = waiting.need else { return }
    begin(.setPowered(true, adapter: path), deadline: timing.power)
  }
}
