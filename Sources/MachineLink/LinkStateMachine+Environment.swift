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

  /// The adapter that an attempt or a link goes through, while it is on; else the pinned one, wherever it
  /// is plugged in.
  var adapter: Adapter? { adapterChoice.adapter }

  var adapterChoice: AdapterChoice { chooseAdapter(inUse: adapterInUse) }

  /// The adapter that another attempt would go through.
  var nextAdapter: Adapter? { chooseAdapter(inUse: nil).adapter }

  /// One that was on, but that no link went through yet, holds only as long as it can serve.
  private func chooseAdapter(inUse: ObjectPath?) -> AdapterChoice {
    let choice = chooseAdapter(pinned: pin.reference, inUse: inUse)
    guard choice.defect != nil, !pin.isLinked, pin.reference != nil, configuration.adapter == nil
    else { return choice }
    let free = chooseAdapter(pinned: nil, inUse: inUse)
    return free.defect == nil ? free : choice
  }

  private func chooseAdapter(pinned: AdapterReference?, inUse: ObjectPath?) -> AdapterChoice {
    AdapterChoice(
      among: levels.tree?.adaptersInOrder ?? [],
      given: configuration.adapter,
      pinned: pinned,
      inUse: inUse,
      allowsOther: configuration.allowsOtherAdapter,
      knowing: knowingAdapter,
      wakesKnowing: wakesKnowingAdapter,
      kernel: levels.kernel,
      learned: pin.defects
    )
  }

  /// The adapter that the present attempt or link goes through.
  private var adapterInUse: ObjectPath? {
    switch state {
    case .connecting(let connecting): connecting.target.adapter
    case .resolving(let resolving): resolving.target.adapter
    case .ready(let ready): ready.target.adapter
    case .shuttingDown(let shuttingDown): shuttingDown.draining?.target.adapter
    case .idle, .waitingForBlueZ, .waitingForAdapter, .discovering, .backingOff, .ended: nil
    }
  }

  /// Whether the adapter that knows the machine is switched on although another one is there: not while
  /// there is an attempt or a link through the other one.
  private var wakesKnowingAdapter: Bool {
    switch state {
    case .idle, .waitingForBlueZ, .waitingForAdapter, .discovering, .backingOff: true
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
    let adapter = nextAdapter
    cleanUp.note(levels.tree, adapter: adapter)
    pin.note(
      adapter,
      among: levels.tree,
      remembered: knowingAdapter,
      isCyclingPower: cleanUp.isCyclingPower
    )
  }

  /// The adapter that the link stays with.
  struct AdapterPin: Hashable, Sendable {
    private(set) var reference: AdapterReference?
    /// Whether there was a link through it.
    private(set) var isLinked = false
    /// What trying adapters has shown: they are passed over until they are plugged in again, are on after
    /// all, or bluetoothd starts again.
    private(set) var defects: [ObjectPath: AdapterDefect] = [:]
    /// The adapter that is used, once it has been on: then a person has switched it off if it is
    /// off.
    private var seenOn: AdapterReference?

    fileprivate mutating func note(_ tree: ObjectTree?) {
      guard !defects.isEmpty else { return }
      defects = defects.filter { path, defect in
        guard let adapter = tree?.adapters[path] else { return false }
        return !(defect.isAboutPower && adapter.isPowered)
      }
    }

    mutating func learn(_ defect: AdapterDefect, of path: ObjectPath) { defects[path] = defect }

    /// Forgets the adapter's defect: it serves after all.
    mutating func forgetDefect(of path: ObjectPath) { defects[path] = nil }

    /// All that could not be switched on have another try.
    fileprivate mutating func forgetRefusals() {
      defects = defects.filter { !$1.isAboutPower }
    }

    /// - Parameter remembered: the adapter that knows the machine. While there is no link another one only
    ///   stands in for it.
    fileprivate mutating func note(
      _ adapter: Adapter?,
      among tree: ObjectTree?,
      remembered: BluetoothAddress?,
      isCyclingPower: Bool
    ) {
      if adapter == nil { seenOn = nil }
      guard let adapter, adapter.isPowered, !isCyclingPower else { return }
      let adapters = tree?.adapters ?? [:]
      seenOn = AdapterReference(adapter, among: adapters.values)
      if remembered == nil || remembered == adapter.address {
        // The former adapter is there and not taken: it can't serve.
        if !isLinked, let reference, !reference.means(adapter),
          adapters.values.contains(where: reference.means)
        {
          self.reference = nil
        }
        reference = reference ?? AdapterReference(adapter, among: adapters.values)
      }
    }

    /// The first one that there is a link through is the one.
    mutating func stay(with adapter: Adapter, among adapters: some Sequence<Adapter>) {
      if !isLinked || reference == nil {
        reference = AdapterReference(adapter, among: adapters)
      }
      isLinked = true
    }

    func wasOn(_ adapter: Adapter?) -> Bool {
      guard let adapter, let seenOn else { return false }
      return seenOn.means(adapter)
    }

    /// Notes that the adapter is off, or will be, but no user has switched it off.
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
    // Where none of several can be switched on, they share the delays.
    if case .waitingForAdapter(let former) = state, former.isForPower, waiting.isForPower {
      transition(to: .waitingForAdapter(waiting))
    } else {
      transition(to: .waitingForAdapter(waiting))
      retries.environmentChanged()
    }
    if waiting.need == .presence || cleanUp.isViewNarrow {
      // The pinned one may come back under another path, which a narrow view would not show.
      effects.begin(.observe(.everything), deadline: timing.discovery)
    } else {
      powerOn(waiting)
    }
  }

  /// What is the matter by the levels alone; nil if only the attempt to switch it on can show it.
  private func faultInLevels(_ need: WaitingForAdapter.Need) -> LinkFault? {
    switch need {
    case .presence:
      LinkFault(
        noAdapter: configuration.adapter ?? pin.reference,
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
    guard case .setPowered = operation else { return powerOn(waiting) }
    if let error {
      fault = LinkFault(powerOnRefused: error, adapter: adapter, kernel: levels.kernel)
      if error.isAboutAdapter {
        pin.learn(.wontPowerOn(error), of: path)
        noteLevels()
        let choice = adapterChoice
        if choice.adapter?.path != path, choice.defect?.isAboutPower != true {
          return seek(Seeking(from: waiting))
        }
      }
    }
    // Success shows in the levels; if it never does, ask again.
    effects.setTimer(.retry, after: retries.environmentFailed())
  }

  mutating func retry(_ waiting: WaitingForAdapter) {
    guard case .power(let path) = waiting.need else { return }
    pin.forgetRefusals()
    guard adapter?.path == path else { return seek(Seeking(from: waiting)) }
    powerOn(waiting)
  }

  private mutating func powerOn(_ waiting: WaitingForAdapter) {
    guard case .power(let path) = waiting.need else { return }
    effects.begin(.setPowered(true, adapter: path), deadline: timing.power)
  }
}
