import Clocks
import Configuration
import ControlProtocol
import Host
import MachineLink
import Options
import Programs
import Service

/// `ballmachine safe-stop`: sends one stop command to the machine of a bridge that has ended.
struct SafeStop: AdapterSubcommand {
  var configuration = ConfigurationOptions()
  var machine = MachineOptions()
  var wait = Duration.seconds(20)
  var needsAdapter: Bool { false }

  static let usage = Usage<Self>(
    name: "safe-stop",
    summary: "Stop the machine after a crash of the service",
    options: ConfigurationOptions.options.within(\.configuration)
      + MachineOptions.linkOptions.within(\.machine) + [
        .value(
          "wait",
          .seconds(in: 7...60),
          \.wait,
          "End after this many seconds in all, 7 to 60 (default 20)"
        )
      ],
    details: """
      It sends only the stop command, until the machine acknowledges it. systemd \
      runs it after the service (ExecStopPost=); then it does nothing if the machine has \
      acknowledged the service's own stop command, or the service never began. Run by hand, it \
      always sends it. A stop command that was not acknowledged stays owed (stop-owed.json in the state directory): the \
      next serve sends it first.

      It waits 2 s for a bridge that is on its way out; a service that runs is stopped with \
      `ballmachine stop'. Another process that has the machine does not keep the stop command from \
      being sent; it is asked to stop, too, and if it doesn't, this ends with 75 and says which \
      process that is. An error \
      in the configuration does not keep it from stopping the machine. A disk that does not \
      answer within 3 s does, unless it is the disk of the state directory, and an address or a \
      name says which machine to stop.

      \(MachineOptions.memory)
      """
  )

  func run(_ output: Output) async throws {
    let clock = SystemClock()
    let start = clock.now
    let debts = StopDebts(of: "safe-stop")
    let needsStop = ServiceEnd()?.needsStop ?? true
    if !needsStop {
      let mayOwe = await debts.mayOwe { debts in
        guard await !debts.recall().isEmpty else { return false }
        // Another bridge that has the directory pays its debts itself.
        do throws(StateLockError) { try await debts.takeDirectory() } catch { return false }
        return true
      }
      guard mayOwe else { return }
    }
    let (lock, hung) = try await takeLock(clock)
    defer { lock?.release() }
    debts.tryToTakeDirectory()
    let settings = try await configuration.machineToStop(
      machine,
      complaining: "ballmachine safe-stop"
    )
    let machines = KnownMachines(of: "safe-stop")
    let owed = (try? await waiting(atMost: ReadingLimit.duration) { await debts.recall() }) ?? []
    let linking = try await machine.promptLink(
      for: settings,
      with: machines,
      beside: debts,
      owing: owed,
      of: "safe-stop"
    )
    // What another machine is owed, this one can't pay.
    if !needsStop, await !debts.mayOwe({ await $0.recall().contains { $0.mayBeOwed(to: linking) } })
    {
      return
    }
    let own = OwnLink(
      linking,
      bus: settings.bus,
      debts: debts,
      machines: machines,
      remembers: false,
      clock: clock
    )
    let deadline = start.advanced(by: wait - Self.endTimeout)
    let (report, wasTried, trouble) = try await own.use(besides: [{ await own.end(at: deadline) }])
    {
      // The stop is the first write once there is a link.
      let outcome = await own.link.sendStop()
      let status = await own.link.status
      own.keepDebt(outcome != .delivered, of: status)
      let report = SendReport(
        settings.stopCommand,
        isStop: true,
        status,
        outcome,
        from: start,
        on: clock
      )
      let trouble =
        own.isInterrupted ? Failure(.temporary, "interrupted") : Failure(notReady: status)
      return (report, outcome != .notSent(.ended), trouble)
    }
    let running = await own.stopHolder()
    let others = hung ?? running
    try await output.confirm(report)
    if report.outcome.outcome == "notSent" {
      let why = wasTried ? report.outcome.reason : nil
      throw Failure(
        trouble.code,
        "the machine was not stopped: switch it off by hand; \(why ?? trouble.description)"
          + (why == nil ? "" : report.outcome.remedy.map { "; \($0)" } ?? "")
      )
    }
    try report.check()
    if let others { throw others }
  }

  /// Waits for a bridge that is on its way out. What else keeps the lock keeps no stop.
  ///
  /// - Returns: the lock, if it was free; and what to say of a service that has it and does not answer.
  private func takeLock(_ clock: SystemClock) async throws -> (MachineLock?, Failure?) {
    do {
      let lock = try await MachineLock.acquire(
        in: RuntimeDirectory(isChecked: false),
        within: Self.lockTimeout,
        clock: clock
      )
      return (lock, nil)
    } catch MachineLockError.held(let holder) {
      let service = "the service" + (holder.map { ", process \($0)," } ?? "")
      switch await ServiceConnection.isServed(within: Self.answerTimeout) {
      case true?:
        throw Failure(.temporary, "\(service) controls the machine: use `ballmachine stop'")
      case false?: return (nil, nil)
      case nil:
        return (
          nil,
          Failure(
            .temporary,
            "balls may follow: use the machine's switch if it moves; \(service) controls the machine"
              + " and does not answer: kill it with `systemctl kill -s KILL ballmachine`"
              + (holder.map { " or `kill -KILL \($0)`" } ?? "") + ", then run this again"
          )
        )
      }
    } catch {
      Output.complain("ballmachine safe-stop: warning: \(error)")
      return (nil, nil)
    }
  }

  /// A bridge that ends in order is gone by then; one that drives the machine keeps its lock.
  private static let lockTimeout = Duration.seconds(2)
  /// How long a service may take to greet; one that takes longer counts as hung.
  private static let answerTimeout = Duration.seconds(2)
  /// How long the end of a link may take: law 1 of the link says within 6 s.
  private static let endTimeout = Duration.seconds(6)
}
