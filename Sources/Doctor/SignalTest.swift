import BlueZ
package import Clocks
import Host
package import MachineLink

extension Diagnosis {
  /// Finds out whether bluetoothd's signals arrive: a bus may pass calls alone, and then nothing that happens
  /// is ever seen.
  ///
  /// A scan that begins must change `Discovering`, and BlueZ signals that. It lasts for an instant, and is
  /// left out where it might disturb: beside a bridge, another scan or a connection.
  ///
  /// - Parameter central: closed when this returns.
  package mutating func testSignals(
    through central: any MachineCentral,
    clock: any MonotonicClock = SystemClock()
  ) async {
    guard let adapter = adapterForTest else {
      await central.close()
      return
    }
    let timing = configuration.timing
    signals = await withTaskGroup(of: Void.self) { group in
      group.addTask { await central.run() }
      let result = await Self.signals(of: adapter, through: central, timing, clock)
      await central.close()
      return result
    }
  }

  private var adapterForTest: Adapter? {
    guard fault == nil, levels.awaitsFirstSignal, controller == nil, let adapter,
      adapter.isPowered, !adapter.isDiscovering,
      levels.tree?.devices.values.contains(where: \.isConnected) != true
    else { return nil }
    return adapter
  }

  /// - Returns: nil if nothing was to be signalled.
  private static func signals(
    of adapter: Adapter,
    through central: any MachineCentral,
    _ timing: LinkTiming,
    _ clock: any MonotonicClock
  ) async -> Bool? {
    func answer(to operation: LinkOperation) async -> OperationAnswer {
      await central.perform(operation, within: timing.discovery, clock: clock)
    }
    guard await answer(to: .openBus).error == nil,
      let before = await answer(to: .observe(.everything)).levels?.tree,
      await answer(to: .startDiscovery(adapter: adapter.path, .lowEnergy(prefix: nil))).error == nil
    else { return nil }
    var result: Bool?
    if await hasSignal(central, within: timing.signal, clock) {
      result = true
    } else if let now = await answer(to: .observe(.everything)).levels, now.awaitsFirstSignal {
      // What differs was not signalled.
      result = now.tree == before ? nil : false
    }
    _ = await answer(to: .stopDiscovery(adapter: adapter.path))
    return result
  }

  private static func hasSignal(
    _ central: any MachineCentral,
    within duration: Duration,
    _ clock: any MonotonicClock
  ) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for await levels in central.levels where levels.isBusConnected && !levels.awaitsFirstSignal
        {
          return true
        }
        return false
      }
      group.addTask {
        try? await clock.sleep(for: duration)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }
}
