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
      MachineIdentity.machines(among: [device], configuration).isEmpty
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
      configuration.address == nil && configuration.name == nil ? .byService : .byNameOrAddress
    case .verify:
      pattern == nil || memoryDecides && retries.looksForOthers ? .byService : .byNameOrAddress
    }
  }

  /// The other one by turns. Of two that are in range, only the same pass can show that one has gone.
  private func pass(after discovering: Discovering) -> Discovering.Pass {
    guard fault?.isAmbiguity != true else { return discovering.pass }
    guard discovering.pass == .byService else { return .byService }
    return pattern == nil ? .everything : .byNameOrAddress
  }

  private mutating func start(_ pass: Discovering.Pass, _ discovering: Discovering) {
    var discovering = discovering
    discovering.start(pass)
    replaceState(with: .discovering(discovering))
    cleanUp.scanBegins(on: discovering.adapter)
    effects.begin(
      .startDiscovery(adapter: discovering.adapter, filter(for: discovering)),
      deadline: timing.discovery
    )
  }

  /// By turns for the device's name or address, if we know one, and for the services that it
  /// advertises.
  private func filter(for discovering: Discovering) -> DiscoveryFilter {
    switch discovering.pass {
    case .byNameOrAddress: return .init(pattern: pattern)
    case .everything: return .init()
    case .byService:
      let profiles =
        pattern == nil
        ? configuration.profiles.filter(\.identifiesMachine) : configuration.profiles
      return .init(uuids: Set(profiles.compactMap(\.service)))
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
      if let error {
        fail(.scanFailed(error), in: discovering)
        return
      }
      discovering.scanStarted()
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
          connect(Seeking(from: discovering), to: Target(recognised))
          return
        }
        start(pass(after: discovering), discovering)
      case .connect(let target):
        connect(Seeking(from: discovering), to: target)
      }
    case .scanning:
      break
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
      } else if !effects.isSet(.settle) {
        // Of two, one may only have been missed: that it has gone takes a whole scan to say.
        effects.setTimer(.settle, after: fault?.isAmbiguity == true ? timing.scan : timing.settle)
      }
    case .ambiguous(let devices):
      effects.cancelTimer(.settle)
      fault = .ambiguousMachines(devices.map(\.unheard))
    case .none:
      effects.cancelTimer(.settle)
    }
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
    guard discovering.phase == .scanning, case .one(let recognised) = candidates(discovering)
    else { return }
    found(recognised, discovering)
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
    guard !effects.isSet(.settle) else {
      // One is found, and a second one is being looked for: the timer for that decides.
      effects.setTimer(.scan, after: timing.scan)
      return
    }
    if case .none = candidates(discovering) { fault = absence(from: discovering) }
    switch discovering.purpose {
    case .verify(let target, _):
      // A pending Connect is the fastest way to wait for an advertisement.
      stopScanning(discovering, then: .connect(target))
    case .search
    where pattern != nil || discovering.pass == .everything || fault == .machineNotSeen
      || fault?.isAmbiguity == true:
      // Only after a scan does BlueZ drop what it has heard: one of two may have gone.
      stopScanning(discovering, then: .nextPass)
    case .search:
      effects.setTimer(.scan, after: timing.scan)
    }
  }

  /// What to say of a machine that was not in the pass.
  private func absence(from discovering: Discovering) -> LinkFault {
    let heard =
      levels.tree?.devices.values.filter { $0.adapter == discovering.adapter && $0.isInRange } ?? []
    if pattern == nil, discovering.pass == .everything {
      return heard.isEmpty ? .machineNotSeen : .noneSaysMachine(heard: heard.count)
    }
    // A scan by services or by its address hears no others: the result of an earlier pass stands.
    if let fault {
      switch (discovering.pass, fault) {
      case (.byService, .noneSaysMachine) where pattern == nil,
        (.byNameOrAddress, .onlyOtherMachines), (.byNameOrAddress, .otherMachinesSeen):
        return fault
      default: break
      }
    }
    let others = MachineIdentity.machines(among: heard, configuration)
      .filter { !memoryDecides || remembered?.isSame(as: $0) != true }
      .map(\.unheard).sorted { $0.address < $1.address }
    guard !others.isEmpty else { return .machineNotSeen }
    if let wanted = configuration.address?.description ?? configuration.name {
      return .otherMachinesSeen(others, wanted: wanted)
    }
    guard let remembered else { return .machineNotSeen }
    return .onlyOtherMachines(others, remembered: remembered.address)
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
    case .machineNotSeen, .noneSaysMachine, .otherMachinesSeen, .onlyOtherMachines,
      .ambiguousMachines:
      true
    default: false
    }
  }
}

extension Device {
  /// Without the signal strength, which is another one in each advertisement: no news in a fault.
  fileprivate var unheard: Device {
    var device = self
    device.rssi = nil
    return device
  }
}
