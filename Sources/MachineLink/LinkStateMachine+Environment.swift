import BlueZ
import Host

// Bus, bluetoothd, adapter, power: what must be there first.

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
    if !adapter.isPowered, !cleanUp.isCyclingPower { return .adapterOff(adapter.path) }
    return nil
  }

  /// The adapter that the link uses: the pinned one, wherever it is plugged in.
  var adapter: Adapter? {
    levels.tree.flatMap {
      configuration.adapter(
        among: $0.adaptersInOrder,
        pinned: pin.address,
        remembered: knowingAdapter,
        wakesRemembered: wakesKnowingAdapter
      )
    }
  }

  /// Whether the adapter that knows the machine is switched on although another one is there: once, and
  /// not while there is an attempt or a link through the other one.
  private var wakesKnowingAdapter: Bool {
    switch state {
    case .idle, .waitingForBlueZ, .waitingForAdapter, .discovering, .backingOff:
      pin.unwakeable == nil || pin.unwakeable != knowingAdapter
    case .connecting, .resolving, .ready, .shuttingDown, .ended: false
    }
  }

  /// The adapter that knows the machine.
  private var knowingAdapter: BluetoothAddress? {
    expected?.adapter ?? configuration.knowingAdapter(isSimulated: isSimulated)
  }

  /// Draws from new levels what must outlive them.
  mutating func noteLevels() {
    pin.note(levels.tree)
    cleanUp.note(levels.tree, adapter: adapter)
    pin.note(adapter, remembered: knowingAdapter, isCyclingPower: cleanUp.isCyclingPower)
  }

  /// The adapter that the link stays with.
  struct AdapterPin: Hashable, Sendable {
    private(set) var address: BluetoothAddress?
    /// The one that is used, once it has been on: then a person has switched it off if it is off.
    private var seenOn: BluetoothAddress?
    /// The one that could not be switched on: another one serves, until this one is plugged in again.
    private(set) var unwakeable: BluetoothAddress?

    fileprivate mutating func note(_ tree: ObjectTree?) {
      if tree?.adapters.values.contains(where: { $0.address == unwakeable }) != true {
        unwakeable = nil
      }
    }

    fileprivate mutating func giveUpWaking(_ address: BluetoothAddress) { unwakeable = address }

    /// - Parameter remembered: the adapter that knows the machine. While there is no link another one only
    ///   stands in for it.
    fileprivate mutating func note(
      _ adapter: Adapter?,
      remembered: BluetoothAddress?,
      isCyclingPower: Bool
    ) {
      if adapter == nil { seenOn = nil }
      guard let adapter, adapter.isPowered, !isCyclingPower else { return }
      seenOn = adapter.address
      if remembered == nil || remembered == adapter.address { stay(with: adapter) }
    }

    /// The first one that there is a link through is the one.
    mutating func stay(with adapter: Adapter) { address = address ?? adapter.address }

    func wasOn(_ adapter: Adapter?) -> Bool { seenOn != nil && seenOn == adapter?.address }

    /// It is off, or will be, but no user has switched it off.
    mutating func forgetPower() { seenOn = nil }
  }

  // MARK: Waiting

  /// Ends the attempt or the link, since something that it needs is gone.
  mutating func leave(_ grounded: some GroundedState, for gap: Gap) {
    lanes.close(.linkLost, &effects)
    wait(grounded, for: gap)
  }

  mutating func wait(_ grounded: some GroundedState, for gap: Gap) {
    switch gap {
    case .bus: wait(WaitingForBlueZ(from: grounded, for: .bus))
    case .service: wait(WaitingForBlueZ(from: grounded, for: .service))
    case .objects: wait(WaitingForBlueZ(from: grounded, for: .objects))
    case .adapterMissing: wait(WaitingForAdapter(from: grounded, for: .presence))
    case .adapterOff(let path):
      // What rfkill took away comes back with its block; no person has switched this adapter off.
      if levels.kernel?.block(of: adapter) != nil { pin.forgetPower() }
      let need: WaitingForAdapter.Need = pin.wasOn(adapter) ? .consent(path) : .power(path)
      wait(WaitingForAdapter(from: grounded, for: need))
    }
  }

  private mutating func wait(_ waiting: WaitingForBlueZ) {
    if case .waitingForBlueZ(waiting) = state { return }
    transition(to: .waitingForBlueZ(waiting))
    retries.environmentChanged()
    switch waiting.need {
    case .bus:
      effects.begin(.openBus, deadline: timing.call)
    case .service:
      fault = .serviceAbsent
      if configuration.startsService { effects.setTimer(.retry, after: timing.serviceAbsence) }
    case .objects:
      // The client reads them by itself; only if that fails, ask again.
      effects.setTimer(.retry, after: timing.discovery)
    }
  }

  private mutating func wait(_ waiting: WaitingForAdapter) {
    fault = faultInLevels(waiting.need) ?? fault
    if case .waitingForAdapter(waiting) = state { return }
    transition(to: .waitingForAdapter(waiting))
    retries.environmentChanged()
    if waiting.need == .presence || cleanUp.isViewNarrow {
      // The pinned one may come back under another path, which a narrow view would not show.
      effects.begin(.observe(.everything), deadline: timing.discovery)
    } else {
      retry(waiting)
    }
  }

  /// What is the matter by the levels alone; nil if only the attempt to switch it on can show it.
  private func faultInLevels(_ need: WaitingForAdapter.Need) -> LinkFault? {
    switch need {
    case .presence:
      LinkFault(
        noAdapter: configuration.adapter ?? pin.address,
        isConfigured: configuration.adapter != nil,
        kernel: levels.kernel
      )
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
    effects.setTimer(.retry, after: max(retries.environmentFailed(), retryFloor(waiting)))
  }

  /// The bus is asked to start bluetoothd no more often than every 5 s; the rest just backs off.
  private func retryFloor(_ waiting: WaitingForBlueZ) -> Duration {
    waiting.need == .service ? timing.serviceAbsence : .zero
  }

  mutating func retry(_ waiting: WaitingForBlueZ) {
    switch waiting.need {
    case .bus: effects.begin(.openBus, deadline: timing.call)
    case .service: effects.begin(.startService, deadline: timing.call)
    case .objects: effects.begin(.observe(.everything), deadline: timing.discovery)
    }
  }

  mutating func operationFinished(
    _ operation: LinkOperation,
    _ error: BlueZError?,
    in waiting: WaitingForAdapter
  ) {
    guard case .power(let path) = waiting.need else { return }
    guard case .setPowered = operation else { return retry(waiting) }
    if let error {
      fault = LinkFault(powerOnRefused: error, adapter: adapter, kernel: levels.kernel)
      if let adapter, adapter.path == path, adapter.address == knowingAdapter, isFinal(error) {
        pin.giveUpWaking(adapter.address)
        noteLevels()
        if self.adapter?.path != path { return seek(Seeking(from: waiting)) }
      }
    }
    // Success shows in the levels; if it never does, ask again.
    effects.setTimer(.retry, after: retries.environmentFailed())
  }

  /// Whether another adapter is to serve: not while this one is just coming on, nor while rfkill blocks
  /// it and no other one is on.
  private func isFinal(_ error: BlueZError) -> Bool {
    guard error.kind != .busy else { return false }
    guard case .adapterBlocked? = fault else { return true }
    return levels.tree?.adapters.values.contains { $0.isPowered } == true
  }

  mutating func retry(_ waiting: WaitingForAdapter) {
    guard case .power(let path) = waiting.need else { return }
    effects.begin(.setPowered(true, adapter: path), deadline: timing.power)
  }
}
