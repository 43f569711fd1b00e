import BlueZ
import Clocks

// Scanning until the machine is found, or to see whether a known one advertises.

extension LinkStateMachine {
  mutating func discover(_ seeking: Seeking, _ purpose: Discovering.Purpose, on adapter: Adapter) {
    if cleanUp.isViewNarrow {
      // While a link was up, only its device was followed: first read all others.
      cleanUp.refresh()
      backOff(seeking, until: now)
      return
    }
    if forgetIfUnrecognisable() {
      backOff(seeking, until: now)
      return
    }
    if let instant = caution.nextScan(at: now) {
      waitToScan(seeking, purpose, until: instant)
      return
    }
    if case .verify = purpose { retries.scanBegins() }
    let pass = firstPass(purpose)
    let discovering = Discovering(from: seeking, on: adapter.path, purpose, pass: pass)
    transition(to: .discovering(discovering))
    start(pass, discovering)
  }

  /// Has BlueZ forget a device that no scan would show as the machine again.
  ///
  /// Where a link ends before its services are resolved, BlueZ may drop the UUIDs that it was known by,
  /// and not take them from advertisements any more. Source: BlueZ src/device.c, `device_svc_resolved`
  /// and `device_add_eir_uuids`; seen with 5.66.
  private mutating func forgetIfUnrecognisable() -> Bool {
    guard let path = unresolved, let device = levels.tree?.devices[path] else { return false }
    unresolved = nil
    guard !device.isConnected, !device.isPaired,
      configuration.standing(of: device, isSimulated: isSimulated) != .certain
    else { return false }
    cleanUp.remove(path)
    return true
  }

  /// A known machine is looked for by what we know of it. Where memory alone says which one that is,
  /// every second scan is for other machines in range: the technician may have another one by now.
  private func firstPass(_ purpose: Discovering.Purpose) -> Discovering.Pass {
    switch purpose {
    case .search:
      // What was configured is surer than what is advertised of services.
      configuration.address == nil && configuration.name == nil ? .everything : .byNameOrAddress
    case .verify:
      pattern == nil || memoryDecides && retries.looksForOthers ? .everything : .byNameOrAddress
    }
  }

  /// The other one by turns. Of two that are in range, only the same pass can show that one has gone.
  private func pass(after discovering: Discovering) -> Discovering.Pass {
    guard fault?.isAmbiguity != true else { return discovering.pass }
    switch discovering.pass {
    case .byNameOrAddress: return .everything
    case .everything: return pattern == nil ? .everything : .byNameOrAddress
    }
  }

  private mutating func start(_ pass: Discovering.Pass, _ discovering: Discovering) {
    let form = caution.form(
      insteadOf: pass == .byNameOrAddress ? .named : .everything,
      at: now
    )
    var discovering = discovering
    discovering.start(form == .named ? .byNameOrAddress : .everything)
    replaceState(with: .discovering(discovering))
    cleanUp.scanBegins(on: discovering.adapter)
    caution.scanBegins(form, on: discovering.adapter, in: levels)
    effects.begin(
      .startDiscovery(adapter: discovering.adapter, filter(form)),
      deadline: timing.discovery
    )
  }

  /// What to scan for: by turns the device's name or address, if we know one, and all that
  /// advertises.
  private func filter(_ form: ScanCaution.Form) -> DiscoveryFilter {
    switch form {
    case .named: .lowEnergy(prefix: pattern)
    case .everything: .lowEnergy(prefix: nil)
    case .unfiltered: .none
    }
  }

  /// What an advertisement's address or name begins with, if we know. A name may come back under
  /// a new address, so it goes before an address that is only remembered.
  private var pattern: String? {
    configuration.address?.description ?? configuration.name ?? remembered?.address.description
  }

  mutating func operationFinished(_ error: BlueZError?, in discovering: Discovering) {
    var discovering = discovering
    switch discovering.phase {
    case .starting:
      let adapter = levels.tree?.adapters[discovering.adapter]
      if let error, adapter?.showsOthersScan(despite: error) != true {
        scanRefused(error, discovering)
        return
      }
      retries.scanBegan()
      pin.forgetDefect(of: discovering.adapter)
      discovering.scanStarted(heardBefore: levels.tree?.hearings, despite: error)
      replaceState(with: .discovering(discovering))
      if case .verify(_, let duration) = discovering.purpose {
        effects.setTimer(.scan, after: duration)
      } else {
        effects.setTimer(.scan, after: timing.scan)
      }
      considerCandidates()
    case .stopping(let next):
      if let error, error.kind == .timedOut {
        fail(.discoveryStuck, in: discovering)
        return
      }
      switch next {
      case .nextPass:
        guard discovering.adapter == adapter?.path else {
          // It was a stand-in's scan, and the pinned adapter is back.
          seek(Seeking(from: discovering))
          return
        }
        if case .one(let recognised) = candidates(discovering), recognised.device.isConnected {
          connect(Seeking(from: discovering), to: Target(recognised), isHeard: false)
          return
        }
        start(pass(after: discovering), discovering)
      case .connect(let target):
        connect(Seeking(from: discovering), to: target, isHeard: fault?.isAboutPresence != true)
      }
    case .comparing(let before):
      if levels.awaitsFirstSignal, levels.tree != before || isDeaf {
        isDeaf = true
        fail(.signalsMissing, in: discovering)
        return
      }
      discovering.scanOn()
      replaceState(with: .discovering(discovering))
      considerCandidates()
      if case .discovering(let discovering) = state { scanPassed(discovering) }
    case .scanning:
      break
    }
  }

  /// An adapter that can't scan is passed over: at once if BlueZ says so, or else the third time.
  private mutating func scanRefused(_ error: BlueZError, _ discovering: Discovering) {
    let isHopeless = error.kind == .notSupported
    guard error.isAboutAdapter, retries.scanRefused() || isHopeless else {
      fail(.scanFailed(error), in: discovering)
      return
    }
    pin.learn(.cantScan(error), of: discovering.adapter)
    noteLevels()
    let choice = adapterChoice
    if let adapter = choice.adapter, adapter.path != discovering.adapter {
      backOff(discovering, until: now)
    } else if isHopeless, let adapter = choice.adapter, let defect = choice.defect {
      fail(.adapterUnfit(name: adapter.name, defect), in: discovering)
    } else {
      fail(.scanFailed(error), in: discovering)
    }
  }

  /// Looks at the devices in range now.
  mutating func considerCandidates() {
    guard case .discovering(let discovering) = state, discovering.phase == .scanning else { return }
    guard discovering.adapter == adapter?.path else {
      // It was a stand-in's scan, and the pinned adapter is back.
      backOff(discovering, until: now)
      return
    }
    switch candidates(discovering) {
    case .one(let recognised):
      if recognised.by == .address {
        found(recognised, discovering)
      } else if !effects.isSet(.settle) || discovering.isInDoubt {
        noteDoubt(false, discovering)
        // One of two devices may only have been missed: that it has gone takes a whole scan to say.
        effects.setTimer(.settle, after: fault?.isAmbiguity == true ? timing.scan : timing.settle)
      }
    case .ambiguous(let devices):
      effects.cancelTimer(.settle)
      fault = .ambiguousMachines(devices.map(\.unheard))
    case .none where likeness != nil && fault != likeness:
      // The name may come only with the next advertisement, and say that it is ours.
      guard !effects.isSet(.settle) || !discovering.isInDoubt else { break }
      noteDoubt(true, discovering)
      effects.setTimer(.settle, after: timing.settle)
    case .none:
      effects.cancelTimer(.settle)
    }
  }

  private mutating func noteDoubt(_ isInDoubt: Bool, _ discovering: Discovering) {
    var discovering = discovering
    discovering.isInDoubt = isInDoubt
    replaceState(with: .discovering(discovering))
  }

  /// The devices that the scan has heard.
  private var devicesHeard: [Device] {
    guard let adapter, let devices = levels.tree?.devices.values else { return [] }
    return devices.filter { $0.adapter == adapter.path && isInRange($0) }
  }

  /// What looks like the machine.
  private var likeness: LinkFault? {
    configuration.likeness(
      among: devicesHeard,
      remembered: memoryDecides ? remembered : nil,
      isSimulated: isSimulated
    )
  }

  /// The devices that may be the machine: in a search first as ``seek(_:)`` sees it, since BlueZ may
  /// only now show the one that we know. A pending Connect waits for that better than a scan.
  private func candidates(_ discovering: Discovering) -> MachineIdentity {
    if discovering.purpose == .search {
      let identity = identity()
      guard identity == .none else { return identity }
    }
    return identity(acceptsNewAddress: true)
  }

  /// No second machine has shown up beside the one that was found.
  mutating func settled(_ discovering: Discovering) {
    guard discovering.phase == .scanning else { return }
    switch candidates(discovering) {
    case .one(let recognised): found(recognised, discovering)
    case .none: fault = likeness ?? fault
    case .ambiguous: break
    }
  }

  private mutating func found(
    _ recognised: MachineIdentity.Recognised,
    _ discovering: Discovering
  ) {
    if fault?.isAboutPresence == true { fault = nil }
    stopScanning(discovering, then: .connect(Target(recognised)))
  }

  /// A pass is over and the machine was not in it.
  mutating func scanPassed(_ discovering: Discovering) {
    guard discovering.phase == .scanning else { return }
    if effects.isSet(.settle), case .one = candidates(discovering) {
      // One is found, and a second one is being looked for: the timer for that decides.
      effects.setTimer(.scan, after: timing.scan)
      return
    }
    if levels.awaitsFirstSignal, !discovering.hasCompared, let tree = levels.tree,
      case .none = candidates(discovering)
    {
      var discovering = discovering
      discovering.compare(with: tree)
      replaceState(with: .discovering(discovering))
      effects.begin(.observe(.everything), deadline: timing.discovery)
      return
    }
    passIsOver(discovering)
  }

  private mutating func passIsOver(_ discovering: Discovering) {
    if case .none = candidates(discovering) {
      let absence = absence(from: discovering)
      fault = absence
      if discovering.purpose == .search { series.add(absence) }
      if discovering.purpose == .search, forgetWhatIsListedOnly(discovering) { return }
    }
    switch discovering.purpose {
    case .verify(let target, _):
      // A pending Connect is the fastest way to wait for an advertisement.
      stopScanning(discovering, then: .connect(target))
    case .search:
      // Only after a scan does BlueZ drop what it has heard: one of two may have gone.
      stopScanning(discovering, then: .nextPass)
    }
  }

  /// What to say of a machine that was not in the pass.
  private func absence(from discovering: Discovering) -> LinkFault {
    let heard = devicesHeard
    if let likeness { return likeness }
    if pattern == nil {
      return heard.isEmpty ? silence(discovering) : .noneSaysMachine(heard: heard.count)
    }
    // A scan by its name or address hears no others: the result of an earlier pass stands.
    if let fault, discovering.pass == .byNameOrAddress {
      switch fault {
      case .nearlyNamed, .onlyOtherMachines, .otherMachinesSeen: return fault
      default: break
      }
    }
    let others =
      heard
      .filter { configuration.standing(of: $0, isSimulated: isSimulated) == .certain }
      .filter { !memoryDecides || remembered?.isSame(as: $0) != true }
      .listed
    guard !others.isEmpty else { return silence(discovering) }
    if let wanted = configuration.address?.description ?? configuration.name {
      return .otherMachinesSeen(others, wanted: wanted)
    }
    guard let remembered else { return .machineNotSeen }
    return .onlyOtherMachines(others, remembered: remembered.address)
  }

  /// What to say where nothing like the machine is heard.
  private func silence(_ discovering: Discovering) -> LinkFault {
    if let refusal = discovering.refusal { return .notInOthersScan(refusal) }
    let known = listedOnly(discovering)
    return known.isEmpty ? .machineNotSeen : .machineListedOnly(known.listed)
  }

  /// What would be the machine, had the scan heard it: BlueZ knows it from earlier.
  private func listedOnly(_ discovering: Discovering) -> [Device] {
    guard configuration.address == nil, !memoryDecides, let tree = levels.tree else { return [] }
    let unheard = tree.devices.values.filter {
      $0.adapter == discovering.adapter && !isInRange($0)
    }
    guard let name = configuration.name else {
      return unheard.filter {
        configuration.standing(of: $0, isSimulated: isSimulated) == .certain
      }
    }
    return unheard.filter { $0.name == name }
  }

  /// Has BlueZ forget a device that it lists and that the scan has not heard.
  ///
  /// Where the controller reports no signal strength, BlueZ sends no signal when it hears an advertisement of
  /// a device that it lists already. If the device is removed from its list, the next advertisement adds it
  /// again, and that is signalled. Without us BlueZ removes it some time after the last advertisement.
  /// Source: BlueZ src/device.c, `device_disappeared`.
  ///
  /// - Returns: false if there is none, or none any more.
  private mutating func forgetWhatIsListedOnly(_ discovering: Discovering) -> Bool {
    guard let tree = levels.tree,
      !tree.devices.values.contains(where: { $0.adapter == discovering.adapter && $0.rssi != nil })
    else { return false }
    let known = listedOnly(discovering).filter { device in
      !device.isPaired && !device.isTrusted
        && doubted[device.path].map { device.hearing > $0 } != false
    }
    guard let device = known.min(by: { $0.path < $1.path }) else { return false }
    doubted = doubted.filter { tree.devices[$0.key] != nil }
    doubted[device.path] = device.hearing
    cleanUp.removeUnlessLinked(device.path)
    backOff(discovering, until: now)
    return true
  }

  private mutating func stopScanning(_ discovering: Discovering, then next: Discovering.Next) {
    var discovering = discovering
    discovering.stop(then: next)
    effects.cancelTimer(.scan)
    effects.cancelTimer(.settle)
    replaceState(with: .discovering(discovering))
    // Scanning while a link is set up makes it fail: the answer is awaited before Connect.
    effects.begin(.stopDiscovery(adapter: discovering.adapter), deadline: timing.discovery)
  }
}

extension LinkFault {
  package var isAmbiguity: Bool {
    if case .ambiguousMachines = self { true } else { false }
  }

  /// Whether it is over once the machine is in range, alone.
  fileprivate var isAboutPresence: Bool {
    switch self {
    case .machineNotSeen, .noneSaysMachine, .onlyPerhaps, .otherMachinesSeen, .onlyOtherMachines,
      .ambiguousMachines, .machineListedOnly, .notInOthersScan, .nearlyNamed, .addressTypeChanged:
      true
    default: false
    }
  }
}
