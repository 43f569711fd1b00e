import Bridge
import Clocks
import ControlProtocol
import Host
import MachineLink
import Programs
import Reports
import Service

/// A link of the subcommand's own, for one command by hand. The caller must hold the machine's lock.
struct OwnLink {
  let link: BallMachineLink
  let debts: StopDebts
  let clock: SystemClock
  /// Where it is kept for the next run which link is ours and, if wanted, the machine of a good one.
  private let machines: KnownMachines
  private let remembers: Bool
  private let interruption = Locked(false)
  private let claims: AsyncStream<MachineClaim>
  /// Another process that has the machine.
  private let holder = Locked<MachineHolder?>(nil)

  /// Whether a signal has come.
  var isInterrupted: Bool { interruption.withLock(\.self) }

  init(
    _ configuration: LinkConfiguration,
    bus: String,
    debts: StopDebts,
    machines: KnownMachines,
    remembers: Bool = true,
    clock: SystemClock
  ) {
    var policy: BlueZCentral.ClaimPolicy
    (policy, claims) = BlueZCentral.ClaimPolicy.told()
    // The kernel names the process of a listener that never accepts only until its queue is full.
    policy.held = { [holder] seen in holder.withLock { $0 = $0?.process == nil ? seen : $0 } }
    link = BallMachineLink(
      configuration: configuration,
      central: BlueZCentral(bus: bus, claims: policy),
      clock: clock
    )
    self.debts = debts
    self.machines = machines
    self.remembers = remembers
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
    let stops = try StopLoop(actions: StopLoop.Actions(link, clock: clock))
    let result = await withTaskGroup(of: Void.self) { group -> Result<Value, any Error> in
      group.addTask { await link.run() }
      group.addTask { await stops.run(claims) }
      group.addTask {
        for await _ in signals {
          interruption.withLock { $0 = true }
          interrupted()
          await link.end()
        }
      }
      group.addTask { await machines.left.follow(link) }
      for watcher in watchers { group.addTask { await watcher() } }
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      await link.end()
      group.cancelAll()
      return result
    }
    let status = await link.status
    if remembers { await machines.memory.keepAtEnd(status.proven) }
    await machines.left.keepAtEnd(status.made)
    await debts.flushAtEnd()
    return try result.get()
  }

  /// After a stop: stops the process that has the machine, too, since it might send the next ball.
  ///
  /// - Returns: nil where no other process was seen to have the machine, or where it has stopped.
  func stopHolder() async -> Failure? {
    guard let holder = holder.withLock(\.self) else { return nil }
    guard let name = holder.name else { return nil }
    let reason: String
    do {
      let claimant = holder.user.flatMap { RuntimeDirectory.believed().contains($0) ? nil : $0 }
      let answer = try await ControlClient.stop(claim: name, timeout: .seconds(8))
      let report = try StopReport(answer: answer, claimant: claimant)
      guard report.failure != nil else {
        Output.complain(
          "\(holder) had the machine; it was stopped, too, and stays so until `ballmachine reset'"
        )
        return nil
      }
      reason = report.stop.reason
    } catch ControlClientError.noService where holder.process != nil {
      // It has ended meanwhile.
      return nil
    } catch {
      reason = "\(error)"
    }
    return Failure(
      .temporary,
      "balls may follow: use the machine's switch if it moves; \(holder.end) (asked to stop: \(reason))"
    )
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
