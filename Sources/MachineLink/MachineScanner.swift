import BlueZ
package import Clocks
import Host

/// A device in range.
package struct SeenDevice: Hashable, Sendable, Encodable {
  /// The device's Bluetooth address.
  package var address: String
  /// The name that it advertises.
  package var name: String?
  /// The signal's strength, in dBm.
  package var rssi: Int16?
  /// The first known profile among the advertised services; nil for any other device.
  package var profile: String?
  /// What it is to the bridge: one of `certain` (it is used), `perhaps` (it looks like a ball machine, and
  /// nothing is written to it until a person adopts it) and `stranger`.
  package var standing = Standing.stranger
  /// Whether it is connected.
  package var connected = false
  /// One of `public` and `random`.
  package var addressType = "public"
}

/// The adapter of a scan, and those that could not serve.
package struct ScanAdapter: Hashable, Sendable {
  package var address: String
  package var name: String
  /// Whether BlueZ shows no other one.
  package var isOnlyOne: Bool
  /// Whether the stack is the mock.
  package var isSimulated: Bool
  /// What is wrong with it; none that may be used is better.
  package var defect: String?
  package var passedOver: [AdapterChoice.PassedOver] = []
  /// Whether BlueZ refused to begin a scan: what another program's scan shows is listed.
  package var isOthersScan = false
}

/// Lists the devices in range, for technicians. It connects to none.
package struct MachineScanner: Sendable {
  private let central: any MachineCentral
  private let configuration: LinkConfiguration
  private let clock: any MonotonicClock

  package init(
    central: any MachineCentral,
    configuration: LinkConfiguration = LinkConfiguration(),
    clock: any MonotonicClock = SystemClock()
  ) {
    self.central = central
    self.configuration = configuration
    self.clock = clock
  }

  /// Scans for a while, or until the task is cancelled.
  ///
  /// - Parameters:
  ///   - begin: called once the scan is on.
  ///   - report: called with each device when it is first heard and whenever its name, signal strength
  ///     or link changes.
  /// - Returns: what may be a machine, is known to BlueZ from earlier, and was not heard.
  @discardableResult
  package func scan(
    for duration: Duration,
    begin: @escaping @Sendable (ScanAdapter) async -> Void = { _ in },
    report: @escaping @Sendable (SeenDevice) async -> Void
  ) async throws(LinkFault) -> [SeenDevice] {
    let heard = await withTaskGroup(of: Void.self) { group in
      group.addTask { await central.run() }
      let heard = await scanning(for: duration, begin: begin, report: report)
      await central.close()
      group.cancelAll()
      return heard
    }
    if let fault = heard.fault { throw fault }
    return heard.unheard
  }

  /// How listening has ended.
  private struct Heard: Sendable {
    /// Why no more could be heard; nil if its time was over.
    var fault: LinkFault?
    /// What may be a machine, is known to BlueZ from earlier, and was not heard.
    var unheard: [SeenDevice] = []
  }

  private func scanning(
    for duration: Duration,
    begin: @escaping @Sendable (ScanAdapter) async -> Void,
    report: @escaping @Sendable (SeenDevice) async -> Void
  ) async -> Heard {
    let adapter: Adapter
    let scan: ScanAdapter
    let heardBefore: UInt64
    let owner: String?
    do throws(LinkFault) {
      (adapter, scan, heardBefore, owner) = try await scanningAdapter()
    } catch {
      return Heard(fault: error)
    }
    await begin(scan)
    let heard = await withTaskGroup(of: Heard?.self) { group in
      group.addTask {
        await listen(on: adapter, of: owner, since: heardBefore, report: report)
      }
      group.addTask { [clock] in
        try? await clock.sleep(for: duration)
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      if let first { return first }
      // The time is over, and the cancellation ends the listening.
      return Heard(unheard: await group.next()??.unheard ?? [])
    }
    // Also when the task was cancelled: the scan is ours to end.
    _ = await OneThread.task {
      await perform(.stopDiscovery(adapter: adapter.path), within: timing.discovery)
    }.value
    return heard
  }

  /// Reports the devices that are heard.
  private func listen(
    on adapter: Adapter,
    of owner: String?,
    since heardBefore: UInt64,
    report: @escaping @Sendable (SeenDevice) async -> Void
  ) async -> Heard {
    var heard = Heard()
    var reported: [ObjectPath: SeenDevice] = [:]
    // The first levels may be older than its being switched on.
    var wasOn = false
    for await levels in central.levels where levels.isBusConnected {
      guard levels.owner == owner else {
        return Heard(fault: .serviceEnded(ServiceEnd(version: adapter.daemonVersion)))
      }
      let isOn = levels.tree?.adapters[adapter.path]?.isPowered == true
      if wasOn, !isOn { return Heard(fault: fault(in: levels, on: adapter)) }
      wasOn = isOn
      let devices = levels.tree?.devices.values.filter { $0.adapter == adapter.path } ?? []
      heard.unheard = []
      for device in devices.sorted(by: { $0.address < $1.address }) {
        let seen = SeenDevice(device, configuration, isSimulated: levels.tree?.isSimulated)
        guard device.isInRange(since: heardBefore) else {
          if seen.standing != .stranger, reported[device.path] == nil {
            heard.unheard.append(seen)
          }
          continue
        }
        guard reported[device.path] != seen else { continue }
        reported[device.path] = seen
        await report(seen)
      }
    }
    return heard
  }

  /// A call was not answered: whether bluetoothd has ended.
  ///
  /// - Parameter levels: those before the call.
  private func end(of levels: BlueZState?, on adapter: Adapter) async -> LinkFault? {
    let (now, error, _) = await answer(to: .observe(.everything), within: timing.discovery)
    guard error?.kind == .serviceAbsent || now?.owner != levels?.owner else { return nil }
    return .serviceEnded(ServiceEnd(version: adapter.daemonVersion))
  }

  /// Why the adapter is on no more.
  private func fault(in levels: BlueZState, on adapter: Adapter) -> LinkFault {
    guard let tree = levels.tree else { return .serviceAbsent }
    guard tree.adapters[adapter.path] != nil else {
      return LinkFault(noAdapter: AdapterReference(adapter.address), kernel: levels.kernel)
    }
    return levels.kernel?.block(of: adapter).map(LinkFault.adapterBlocked) ?? .adapterOff
  }

  /// Switches the adapter on and begins the scan; one that can't serve is passed over.
  ///
  /// - Returns: the adapter, how it scans, what was heard before, and whose bluetoothd it is.
  private func scanningAdapter() async throws(LinkFault) -> (
    Adapter, ScanAdapter, UInt64, String?
  ) {
    if let error = await perform(.openBus, within: timing.call) { throw .busUnreachable(error) }
    var (levels, error, _) = await answer(to: .observe(.everything), within: timing.discovery)
    if let error {
      throw error.kind == .serviceAbsent ? .serviceAbsent : .serviceSilent(error)
    }
    var learned: [ObjectPath: AdapterDefect] = [:]
    while true {
      let choice = levels?.tree.map {
        configuration.adapter(in: $0, kernel: levels?.kernel, learned: learned)
      }
      guard let choice, let tree = levels?.tree, let adapter = choice.adapter else {
        throw LinkFault(noAdapter: configuration.adapter, kernel: levels?.kernel)
      }
      var scan = ScanAdapter(
        address: adapter.address.description,
        name: adapter.name,
        isOnlyOne: tree.adapters.count == 1,
        isSimulated: tree.isSimulated,
        defect: choice.defect?.reason,
        passedOver: choice.passedOver
      )
      let trouble: (fault: LinkFault, defect: AdapterDefect)
      if let refusal = await powerOn(adapter) {
        trouble = (refusal.fault, .wontPowerOn(refusal.error))
        error = refusal.error
      } else {
        error = await perform(
          .startDiscovery(adapter: adapter.path, .lowEnergy(prefix: nil)),
          within: timing.discovery
        )
        guard let error else { return (adapter, scan, tree.hearings, levels?.owner) }
        if error.kind == .noReply, let end = await end(of: levels, on: adapter) { throw end }
        if adapter.showsOthersScan(despite: error) {
          scan.isOthersScan = true
          return (adapter, scan, tree.hearings, levels?.owner)
        }
        let defect = AdapterDefect.cantScan(error)
        let isUnfit = error.kind == .notSupported
        trouble = (
          isUnfit ? .adapterUnfit(name: adapter.name, defect) : .scanFailed(error), defect
        )
      }
      // Each is tried once.
      guard error?.isAboutAdapter == true, learned[adapter.path] == nil else { throw trouble.fault }
      learned[adapter.path] = trouble.defect
      let next = configuration.adapter(in: tree, kernel: levels?.kernel, learned: learned).adapter
      guard let next, learned[next.path] == nil else { throw trouble.fault }
      levels = await answer(to: .observe(.everything), within: timing.discovery).levels ?? levels
    }
  }

  private func powerOn(_ adapter: Adapter) async -> (fault: LinkFault, error: BlueZError)? {
    guard !adapter.isPowered else { return nil }
    let (levels, error, _) = await answer(
      to: .setPowered(true, adapter: adapter.path),
      within: timing.power
    )
    guard let error else { return nil }
    let fault = LinkFault(powerOnRefused: error, adapter: adapter, kernel: levels?.kernel)
    return (fault, error)
  }

  private var timing: LinkTiming { configuration.timing }

  private func perform(_ operation: LinkOperation, within deadline: Duration) async -> BlueZError? {
    await answer(to: operation, within: deadline).error
  }

  private func answer(
    to operation: LinkOperation,
    within deadline: Duration
  ) async -> OperationAnswer {
    await central.perform(operation, within: deadline, clock: clock)
  }
}

extension SeenDevice {
  init(_ device: Device, _ configuration: LinkConfiguration, isSimulated: Bool?) {
    self.init(
      address: device.address.description,
      name: device.name,
      rssi: device.strength,
      profile: configuration.advertisedProfile(of: device)?.name,
      standing: configuration.isMeant(device, isSimulated: isSimulated)
        ? .certain : configuration.standing(of: device, isSimulated: isSimulated),
      connected: device.isConnected,
      addressType: device.addressType.rawValue
    )
  }
}

extension LinkConfiguration {
  /// Whether it is the device that is configured, or that of an earlier good link.
  fileprivate func isMeant(_ device: Device, isSimulated: Bool?) -> Bool {
    if let address { return device.address == address }
    if let name { return device.name == name }
    return rememberedMachine(isSimulated: isSimulated)?.isSame(as: device) == true
  }
}
