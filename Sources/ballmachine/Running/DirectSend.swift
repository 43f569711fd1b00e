import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import Host
import JSON
import MachineLink
import Programs

/// Sends one command by hand over a link of our own. The caller must hold the machine's lock.
struct DirectSend {
  var machine: MachineOptions
  var settings: MachineSettings
  /// How long the machine may take to be ready.
  var wait: Duration

  /// - Parameter confirm: asks, once the machine is ready, whether a command that is no stop may be
  ///   sent to it; throws if not.
  /// - Returns: the outcome.
  /// - Throws: ``Failure`` if the machine was not ready in time, and what `confirm` throws.
  func perform(
    _ command: MachineCommand,
    confirm: @escaping @Sendable (LinkRecord) async throws -> Void
  ) async throws -> SendReport {
    let clock = SystemClock()
    let begin = clock.now
    let memory = MachineMemory(of: "send")
    let debts = StopDebts(of: "send")
    let linking = try await machine.promptLink(for: settings, with: memory, of: "send")
    let link = BallMachineLink(
      configuration: linking,
      central: BlueZCentral(bus: settings.bus),
      clock: clock
    )
    let signals = try endSignals()
    let isStop = command == settings.stopCommand
    let confirmation = FirstAnswer<Void>()

    let result = await withTaskGroup(of: Void.self) { group -> Result<SendReport?, any Error> in
      group.addTask { await link.run() }
      group.addTask {
        for await _ in signals {
          confirmation.give(.failure(Failure(.temporary, "not sent: interrupted")))
          await link.end()
        }
      }
      group.addTask { await Self.printFaults(of: link) }
      group.addTask {
        guard (try? await clock.sleep(for: Self.longestSilence)) != nil else { return }
        await Self.printPhase(of: link)
      }
      group.addTask { [wait] in
        guard (try? await clock.sleep(for: wait)) != nil else { return }
        if await link.status.phase != .ready { await link.end() }
      }
      guard await link.waitUntilReady() else {
        group.cancelAll()
        return .success(nil)
      }
      let status = await link.status
      var stop: WriteOutcome?
      var stopEnd = begin
      var start = clock.now
      // A stop that an earlier program owes goes first. A stop itself needs no look at the disk.
      var isStopDue = isStop
      if !isStop { isStopDue = await debts.mayOwe { await $0.isOwed(to: status.linked) } }
      if isStopDue {
        // It is repeated until the machine acknowledges it, but not for ever.
        let deadline = Task { [timeout = Self.stopTimeout] in
          guard (try? await clock.sleep(for: timeout)) != nil else { return }
          await link.end()
        }
        let outcome = await link.sendStop()
        deadline.cancel()
        if let machine = status.linked { debts.keep(outcome != .delivered, to: machine) }
        stop = outcome
        stopEnd = clock.now
      }
      let outcome: WriteOutcome
      var answered: CommandID?
      if isStop, let stop {
        outcome = stop
      } else if stop?.isWritten == false {
        outcome = .notSent(.stopPending)
      } else {
        // In a task of its own: a signal ends the wait for an answer.
        Task {
          let record = LinkRecord(status)
          do { confirmation.give(.success(try await confirm(record))) } catch {
            confirmation.give(.failure(error))
          }
        }
        do {
          try await confirmation.wait()
          guard await link.status.linked == status.linked else {
            throw Failure(.temporary, "not sent: another machine has come meanwhile")
          }
        } catch {
          await link.end()
          group.cancelAll()
          return .failure(error)
        }
        // The program that owed the stop may have sent a ball just before this one began, and the stop may be
        // answered until then.
        if stop != nil {
          let earliest = max(
            begin.advanced(by: settings.encoding.leastInterval),
            stopEnd.advanced(by: settings.encoding.longestAnswer)
          )
          try? await clock.sleep(until: earliest, tolerance: .zero)
        }
        if let machine = status.linked { debts.keep(true, to: machine) }
        start = clock.now
        let launched = await link.launch(command, decidedAt: start)
        outcome = launched.outcome
        if launched.expectsAnswer { answered = launched.id }
        // No ball, no debt but the one from before.
        let isPaid = stop == nil || stop == .delivered
        if isPaid, !outcome.mayHaveArrived, let machine = status.linked {
          debts.keep(false, to: machine)
        }
      }
      var report = SendReport(
        command,
        isStop: isStop,
        status,
        outcome,
        from: start,
        on: clock
      )
      if let answered { report.answer = await link.answer(to: answered)?.rawValue }
      await link.end()
      group.cancelAll()
      return .success(report)
    }
    await memory.keepAtEnd(link.status.proven)
    await debts.flushAtEnd()
    guard let report = try result.get() else {
      let status = await link.status
      var failure = Failure(notReady: status)
      let words = failure.description.split(separator: " ")
      if let machine = status.machine, !words.contains(where: { $0.hasPrefix("\(machine)") }) {
        failure.description = "\(machine): \(failure.description)"
      }
      throw failure
    }
    return report
  }

  /// How long a stop command by hand may stay unacknowledged.
  private static let stopTimeout = Duration.seconds(10)

  /// After so long it says what it waits for.
  private static let longestSilence = Duration.seconds(10)

  /// Prints what it waits for.
  private static func printPhase(of link: BallMachineLink) async {
    let status = await link.status
    guard status.phase != .ready, status.phase != .ended, status.fault == nil else { return }
    Output.complain("ballmachine send: still \(LinkRecord(status).phaseAndMachine)")
  }

  /// Prints why it takes so long. Without a bus, it is useless to wait.
  private static func printFaults(of link: BallMachineLink) async {
    var printed: LinkFault?
    for await status in await link.statuses() where status.phase != .ready {
      guard let fault = status.fault, fault != printed else { continue }
      printed = fault
      if case .busUnreachable = fault { return await link.end() }
      if status.phase != .shuttingDown, status.phase != .ended {
        let link = LinkRecord(status)
        Output.complain("ballmachine send: \(link.phaseAndMachine): \(link.trouble ?? "")")
      }
    }
  }
}

extension LinkRecord {
  fileprivate init(_ status: LinkStatus) { self.init(status, since: nil, at: status.since) }

  fileprivate var phaseAndMachine: String {
    ([phaseText] + [machineText].compactMap(\.self)).joined(separator: " ")
  }
}

extension SendReport {
  /// A command that this program has sent itself.
  ///
  /// - Parameters:
  ///   - status: of the link that it went over.
  ///   - start: when it was asked for; the outcome is new.
  init(
    _ command: MachineCommand,
    isStop: Bool,
    _ status: LinkStatus,
    _ outcome: WriteOutcome,
    from start: MonotonicInstant,
    on clock: SystemClock
  ) {
    let link = LinkRecord(status)
    self.init(
      t: start.seconds.rounded(places: 6),
      time: WallTime(of: start, on: clock),
      mode: link.mode,
      machine: link.machine,
      machineText: link.machineText,
      profile: link.profile,
      command: command.text,
      isStop: isStop,
      outcome: OutcomeRecord(outcome),
      latency: start.duration(to: clock.now).seconds.rounded(places: 6)
    )
  }
}
