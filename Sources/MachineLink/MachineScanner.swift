import BlueZ
package import Clocks
import Host

/// A device that a scan has heard.
package struct SeenDevice: Hashable, Sendable, Encodable {
  package var address: String
  package var name: String?
  /// In dBm.
  package var rssi: Int16?
  /// The first known profile among the advertised services; nil for any other device.
  package var profile: String?
  /// Whether that profile alone says that it is a ball machine.
  package var isMachine = false
  package var isConnected = false

  private enum CodingKeys: String, CodingKey {
    case address, name, rssi, profile
    case isMachine = "certain"
    case isConnected = "connected"
  }
}

/// The adapter of a scan.
package struct ScanAdapter: Hashable, Sendable {
  package var address: String
  package var name: String
  /// Whether BlueZ shows no other one.
  package var isOnlyOne: Bool
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
  ///   - begin: called once the adapter is on.
  ///   - report: called with each device when it is first heard and whenever its name, signal strength
  ///     or link changes.
  package func scan(
    for duration: Duration,
    begin: @escaping @Sendable (ScanAdapter) async -> Void = { _ in },
    report: @escaping @Sendable (SeenDevice) async -> Void
  ) async throws(LinkFault) {
    let result = await withTaskGroup(of: Void.self) { group -> LinkFault? in
      group.addTask { await central.run() }
      let fault = await scanning(for: duration, begin: begin, report: report)
      await central.close()
      group.cancelAll()
      return fault
    }
    if let result { throw result }
  }

  private func scanning(
    for duration: Duration,
    begin: @escaping @Sendable (ScanAdapter) async -> Void,
    report: @escaping @Sendable (SeenDevice) async -> Void
  ) async -> LinkFault? {
    let adapter: Adapter
    let isOnlyOne: Bool
    do throws(LinkFault) { (adapter, isOnlyOne) = try await poweredAdapter() } catch {
      return error
    }
    await begin(
      ScanAdapter(
        address: adapter.address.description,
        name: adapter.name,
        isOnlyOne: isOnlyOne
      )
    )
    if let error = await perform(
      .startDiscovery(adapter: adapter.path, .init()),
      within: timing.discovery
    ) {
      return .scanFailed(error)
    }
    let fault = await withTaskGroup(of: LinkFault?.self) { group in
      group.addTask { await listen(on: adapter, report: report) }
      group.addTask { [clock] in
        try? await clock.sleep(for: duration)
        return nil
      }
      let fault = await group.next() ?? nil
      group.cancelAll()
      return fault
    }
    // Also when the task was cancelled: the scan is ours to end.
    _ = await Task {
      await perform(.stopDiscovery(adapter: adapter.path), within: timing.discovery)
    }.value
    return fault
  }

  /// Reports the devices that are heard.
  ///
  /// - Returns: why no more can be heard.
  private func listen(
    on adapter: Adapter,
    report: @escaping @Sendable (SeenDevice) async -> Void
  ) async -> LinkFault? {
    var reported: [ObjectPath: SeenDevice] = [:]
    // The first levels may be older than its being switched on.
    var wasOn = false
    for await levels in central.levels where levels.isBusConnected {
      let isOn = levels.tree?.adapters[adapter.path]?.isPowered == true
      if wasOn, !isOn { return fault(in: levels, on: adapter) }
      wasOn = isOn
      let devices = levels.tree?.devices.values.filter { $0.adapter == adapter.path } ?? []
      for device in devices.sorted(by: { $0.address < $1.address }) where device.isInRange {
        let seen = SeenDevice(device, profiles: configuration.profiles)
        guard reported[device.path] != seen else { continue }
        reported[device.path] = seen
        await report(seen)
      }
    }
    return nil
  }

  /// Why the adapter is on no more.
  private func fault(in levels: BlueZState, on adapter: Adapter) -> LinkFault {
    guard let tree = levels.tree else { return .serviceAbsent }
    guard tree.adapters[adapter.path] != nil else {
      return LinkFault(noAdapter: adapter.address, kernel: levels.kernel)
    }
    return levels.kernel?.block(of: adapter).map(LinkFault.adapterBlocked) ?? .adapterOff
  }

  private func poweredAdapter() async throws(LinkFault) -> (Adapter, isOnlyOne: Bool) {
    if let error = await perform(.openBus, within: timing.call) { throw .busUnreachable(error) }
    let (levels, error, _) = await answer(to: .observe(.everything), within: timing.discovery)
    if let error {
      throw error.kind == .serviceAbsent ? .serviceAbsent : .serviceSilent(error)
    }
    guard let tree = levels?.tree, let adapter = configuration.adapter(in: tree) else {
      throw LinkFault(noAdapter: configuration.adapter, kernel: levels?.kernel)
    }
    if !adapter.isPowered {
      let (levels, error, _) = await answer(
        to: .setPowered(true, adapter: adapter.path),
        within: timing.power
      )
      if let error {
        throw LinkFault(powerOnRefused: error, adapter: adapter, kernel: levels?.kernel)
      }
    }
    return (adapter, tree.adapters.count == 1)
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
  init(_ device: Device, profiles: [MachineProfile]) {
    let match = profiles.first { $0.service.map(device.uuids.contains) ?? false }
    self.init(
      address: device.address.description,
      name: device.name,
      rssi: device.rssi,
      profile: match?.name,
      isMachine: match?.identifiesMachine ?? false,
      isConnected: device.isConnected
    )
  }
}
