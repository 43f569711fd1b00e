import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import Host
import JSON
import MachineLink
import Options
import Programs
import Reports
import Service

/// Sends one command by hand over a link of our own. The caller must hold the machine's lock.
struct DirectSend {
  var machine: MachineOptions
  var settings: MachineSettings
  /// How long the machine may take to be ready.
  var wait: Duration

  /// - Parameter confirm: asks, once the machine is ready, whether a command that is no stop may be
  ///   sent to it; throws if not.
  /// - Returns: the outcome.
  /// - Throws: ``Failure`` if the machine was not ready in time or a signal came, and what `confirm`
  ///   throws.
  func perform(
    _ command: MachineCommand,
    confirm: @escaping @Sendable (LinkRecord) async throws -> Void
  ) async throws -> SendReport {
    let clock = SystemClock()
    let begin = clock.now
    let machines = KnownMachines(of: "send")
    let debts = StopDebts(of: "send")
    if command == settings.stopCommand {
      debts.tryToTakeDirectory()
    } else {
      try await debts.takeDirectoryPromptly()
    }
    let linking = try await machine.promptLink(
      for: settings,
      with: machines,
      beside: debts,
      of: "send"
    )
    let own = OwnLink(linking, bus: settings.bus, debts: debts, machines: machines, clock: clock)
    let confirmation = FirstAnswer<Void>()
    let report = try await own.use(
      interrupted: { confirmation.give(.failure(Self.interruption)) },
      besides: [
        { await Self.printFaults(of: own.link) },
        { await Self.printPhase(of: own) },
        { await endUnlessReady(own) },
      ]
    ) { () async throws -> SendReport? in
      guard await own.link.waitUntilReady() else {
        if own.isInterrupted { throw Self.interruption }
        return nil
      }
      let status = await own.link.status
      guard command != settings.stopCommand else {
        // It needs no look at the disk.
        let start = clock.now
        let outcome = await sendStop(over: own, status)
        return SendReport(command, isStop: true, status, outcome, from: start, on: clock)
      }
      return try await sendBall(command, over: own, status, since: begin) {
        // In a task of its own: a signal ends the wait for an answer.
        OneThread.task {
          let record = LinkRecord(status)
          do { confirmation.give(.success(try await confirm(record))) } catch {
            confirmation.give(.failure(error))
          }
        }
        try await confirmation.wait()
      }
    }
    guard let report else { throw await Self.failure(of: own.link) }
    if report.isStop == true, let failure = await own.stopHolder() { throw failure }
    return report
  }

  /// - Parameter begin: when this program began.
  private func sendBall(
    _ command: MachineCommand,
    over own: OwnLink,
    _ status: LinkStatus,
    since begin: MonotonicInstant,
    confirm: () async throws -> Void
  ) async throws -> SendReport {
    let (link, clock) = (own.link, own.clock)
    var start = clock.now
    func report(_ outcome: WriteOutcome) -> SendReport {
      SendReport(command, isStop: false, status, outcome, from: start, on: clock)
    }
    // A stop that an earlier program owes goes first.
    var stop: WriteOutcome?
    if await own.debts.mayOwe({ await $0.isOwed(to: status.linked) }) {
      stop = await sendStop(over: own, status)
    }
    let stopEnd = clock.now
    if stop?.isWritten == false {
      if own.isInterrupted { throw Self.interruption }
      return report(.notSent(.stopPending))
    }
    try await confirm()
    guard await link.status.linked == status.linked else {
      throw Failure(.temporary, "not sent: another machine has come meanwhile")
    }
    // The program that owed the stop may have sent a ball just before this one began, and the stop may be
    // answered until then.
    if stop != nil {
      let earliest = max(
        begin.advanced(by: settings.encoding.leastInterval),
        stopEnd.advanced(by: settings.encoding.longestAnswer)
      )
      try? await clock.sleep(until: earliest, tolerance: .zero)
      if own.isInterrupted { throw Self.interruption }
    }
    own.keepDebt(true, of: status)
    start = clock.now
    let launched = await link.launch(command, decidedAt: start)
    // No ball, no debt but the one from before.
    let isPaid = stop == nil || stop == .delivered
    if isPaid, !launched.outcome.mayHaveArrived { own.keepDebt(false, of: status) }
    var report = report(launched.outcome)
    if launched.expectsAnswer { report.answer = await link.answer(to: launched.id)?.rawValue }
    return report
  }

  /// Sends the stop command again until the machine acknowledges it, but not for ever.
  ///
  /// - Parameter status: from before: the stop is owed to its machine.
  private func sendStop(over own: OwnLink, _ status: LinkStatus) async -> WriteOutcome {
    let deadline = own.clock.now.advanced(by: Self.stopTimeout)
    let timeout = OneThread.task { await own.end(at: deadline) }
    let outcome = await own.link.sendStop()
    timeout.cancel()
    own.keepDebt(outcome != .delivered, of: status)
    return outcome
  }

  /// How long a stop command by hand may stay unacknowledged.
  private static let stopTimeout = Duration.seconds(10)

  /// After so long it says what it waits for.
  private static let longestSilence = Duration.seconds(10)

  private func endUnlessReady(_ own: OwnLink) async {
    guard (try? await own.clock.sleep(for: wait)) != nil else { return }
    if await own.link.status.phase != .ready { await own.link.end() }
  }

  /// Prints what it waits for.
  private static func printPhase(of own: OwnLink) async {
    guard (try? await own.clock.sleep(for: longestSilence)) != nil else { return }
    let status = await own.link.status
    guard status.phase != .ready, status.phase != .ended, status.fault == nil else { return }
    Output.complain("ballmachine send: still \(LinkRecord(status).phaseAndMachine)")
  }

  /// Prints why it takes so long. Without a bus, it is useless to wait.
  private static func printFaults(of link: BallMachineLink) async {
    var printed: LinkFault?
    for await status in await link.statuses() where status.phase != .ready {
      guard let fault = status.fault, fault != printed else { continue }
      printed = fault
      switch fault {
      case .busUnreachable, .machineHeld: return await link.end()
      default: break
      }
      if status.phase != .shuttingDown, status.phase != .ended {
        let link = LinkRecord(status)
        Output.complain("ballmachine send: \(link.phaseAndMachine): \(link.trouble ?? "")")
      }
    }
  }

  private static let interruption = Failure(.temporary, "not sent: interrupted")

  /// Why the machine was not ready.
  private static func failure(of link: BallMachineLink) async -> Failure {
    let status = await link.status
    let failure = Failure(notReady: status)
    let words = failure.description.split(separator: " ")
    if let machine = status.machine, !words.contains(where: { $0.hasPrefix("\(machine)") }) {
      return Failure(failure.code, about: "\(machine)", failure)
    }
    return failure
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
      characteristic: link.characteristic,
      command: command.text,
      isStop: isStop,
      outcome: OutcomeRecord(outcome),
      latency: start.duration(to: clock.now).seconds.rounded(places: 6)
    )
  }
}
