package import BlueZ
package import Clocks
import Host
package import MachineLink

/// The facts about the way to the machine, and what they mean for a link. Without a ``Trial`` the
/// radio is not used.
package struct Diagnosis: Hashable, Sendable {
  /// Which machine and which adapter are wanted.
  package var configuration: LinkConfiguration
  /// Why BlueZ could not be asked.
  package var fault: LinkFault?
  /// BlueZ's objects.
  package var levels = BlueZState()
  package var kernel: KernelView
  package var board = BoardView()
  /// Another `ballmachine` process that has the right to write to the machine.
  package var holder: Int32?
  /// The service that answers; nil if none does.
  package var service: ServiceAnswer.State?
  /// Whether bluetoothd's signals arrive; nil while that is not known.
  package var signals: Bool?
  /// Whether a service runs, although it may not tell this user anything.
  package var isServed = false
  /// Whether a connection was tried, and its result; nil when no trial was asked for.
  package var trial: Trial?

  package enum Trial: Hashable, Sendable {
    case made(ConnectionTrial)
    /// Why no connection was tried.
    case left(String)
  }
}

extension Diagnosis {
  /// Gathers the facts. It scans for nothing, switches nothing and writes nothing.
  ///
  /// - Parameter central: closed when this returns.
  package init(
    through central: any MachineCentral,
    configuration: LinkConfiguration,
    kernel: KernelView = .current(),
    holder: Int32?,
    clock: any MonotonicClock = SystemClock()
  ) async {
    self.init(configuration: configuration, kernel: kernel, holder: holder)
    (levels, fault) = await withTaskGroup(of: Void.self) { group in
      group.addTask { await central.run() }
      let result = await Self.ask(central, configuration.timing, clock)
      await central.close()
      return result
    }
  }

  private static func ask(
    _ central: any MachineCentral,
    _ timing: LinkTiming,
    _ clock: any MonotonicClock
  ) async -> (BlueZState, LinkFault?) {
    if let error = await central.perform(.openBus, within: timing.call, clock: clock).error {
      return (BlueZState(), .busUnreachable(error))
    }
    let (levels, error, _) = await central.perform(
      .observe(.everything),
      within: timing.discovery,
      clock: clock
    )
    let fault = error.map {
      $0.kind == .serviceAbsent ? LinkFault.serviceAbsent : .serviceSilent($0)
    }
    return (levels ?? BlueZState(), fault)
  }

  /// Whether a mock plays bluetoothd; nil when BlueZ could not be asked.
  package var isSimulated: Bool? { levels.tree?.isSimulated }
}
