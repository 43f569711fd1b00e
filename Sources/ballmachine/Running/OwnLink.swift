import Clocks
import Host
import MachineLink

/// A link of the subcommand's own, for one command by hand. The caller must hold the machine's lock.
struct OwnLink {
  let link: BallMachineLink
  let debts: StopDebts
  let clock: SystemClock
  /// Where the machine of a good link is kept for the next run.
  private let memory: MachineMemory?
  private let interruption = Locked(false)

  /// Whether a signal has come.
  var isInterrupted: Bool { interruption.withLock(\.self) }

  init(
    _ configuration: LinkConfiguration,
    bus: String,
    debts: StopDebts,
    memory: MachineMemory? = nil,
    clock: SystemClock
  ) {
    link = BallMachineLink(
      configuration: configuration,
      central: BlueZCentral(bus: bus),
      clock: clock
    )
    self.debts = debts
    self.memory = memory
    self.clock = clock
  }

  /// Runs the link until `body` ends; a signal ends the link before.
  ///
  /// - Parameters:
  ///   - interrupted: called at a signal.
  ///   - watchers: run besides, and are cancelled when `body` has ended.
  func use<Value>(
    interrupted: @escaping @Sendable () -> Void = {},
    besides watchers: [@Sendable () async -> Void],
    _ body: () async throws -> Value
  ) async throws -> Value {
    let signals = try endSignals()
    let result = await withTaskGroup(of: Void.self) { group -> Result<Value, any Error> in
      group.addTask { await link.run() }
      group.addTask {
        for await _ in signals {
          interruption.withLock { $0 = true }
          interrupted()
          await link.end()
        }
      }
      for watcher in watchers { group.addTask { await watcher() } }
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      await link.end()
      group.cancelAll()
      return result
    }
    await memory?.keepAtEnd(link.status.proven)
    await debts.flushAtEnd()
    return try result.get()
  }

  /// Ends the link at that time, unless the task is cancelled before.
  func end(at deadline: MonotonicInstant) async {
    guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
    await link.end()
  }

  /// Keeps whether a stop command is owed to the machine of this status.
  func keepDebt(_ isOwed: Bool, of status: LinkStatus) {
    if let machine = status.linked { debts.keep(isOwed, to: machine) }
  }
}
