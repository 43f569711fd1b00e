import Clocks
import CourtLogic
import Host
import MachineLink
import Safety

// What leaves the bridge: one ball at a time, and stop commands.

extension BridgeService {
  /// Why the ball is sent.
  enum BallPurpose {
    case decision(Dispatch)
    case byHand(number: Int, CheckedContinuation<ManualReply, Never>)
  }

  /// A caller that waits for the stop command's outcome.
  struct StopWaiter {
    let deadline: MonotonicInstant
    let continuation: CheckedContinuation<StopOutcome, Never>
  }

  /// How long a caller waits for the stop command's outcome.
  static let stopTimeout = Duration.seconds(6)

  // MARK: Balls

  /// Asks the logic, if it is time, and sends what it decides, if safety allows.
  func ask() {
    let now = clock.now
    guard let next = nextQuestion, next <= now, let decision = logic.decide(at: now) else { return }
    guard let ball = safety.allow(for: decision.position, at: now) else {
      hold(decision)
      return
    }
    reportedHolds = []
    summary.count(decision)
    let dispatch = Dispatch(number: summary.dispatches, decision: decision)
    lastDispatch = dispatch
    launch(ball, decision.command, decidedAt: decision.time, as: .decision(dispatch))
  }

  private func hold(_ decision: Decision) {
    let holds = safety.holds
    guard !holds.isEmpty else { return }
    summary.held += 1
    guard holds != reportedHolds else { return }
    reportedHolds = holds
    publish(.held(HeldDecision(decision: decision, holds: holds)))
  }

  func launch(
    _ ball: SafetyCore.Ball,
    _ command: MachineCommand,
    decidedAt: MonotonicInstant,
    as purpose: BallPurpose
  ) {
    // A program that is killed after this ball owes the machine a stop command.
    keepDebt()
    isLaunching = true
    defer { isLaunching = false }
    // Begins here and now, so that nothing comes between the decision and the link.
    let flight = Task.immediate(priority: .medium) { [link, limits] in
      let outcome: WriteOutcome
      var id: CommandID?
      do {
        // Check the values again: they may have been loaded for another machine.
        try limits.check(command)
        let launched = await link.launch(command, decidedAt: decidedAt)
        outcome = launched.outcome
        if launched.expectsAnswer { id = launched.id }
      } catch {
        outcome = .notSent(.notAllowed("\(error)"))
      }
      // An answer that came at once is still an event of its own.
      if isLaunching { await Task.yield() }
      let landing = Landing(outcome: outcome, expectsAnswer: id != nil)
      let manual = self.landed(ball, purpose, command, decidedAt, landing)
      guard let id, let answer = await link.answer(to: id) else { return }
      self.answered(purpose, manual, answer, decidedAt, outcome)
    }
    flights[ball] = flight
    lastFlight = flight
  }

  /// The outcome of a ball's write, and whether the machine's answer follows.
  private struct Landing {
    let outcome: WriteOutcome
    let expectsAnswer: Bool

    /// Where the machine answers a command that its radio has taken, the answer says.
    var wasTaken: Bool? { expectsAnswer && outcome.isWritten ? nil : outcome.wasTaken }
  }

  /// - Returns: the record of a command by hand whose caller waits for the machine's answer.
  private func landed(
    _ ball: SafetyCore.Ball,
    _ purpose: BallPurpose,
    _ command: MachineCommand,
    _ decidedAt: MonotonicInstant,
    _ landing: Landing
  ) -> ManualDispatch? {
    let outcome = landing.outcome
    var waiting: ManualDispatch?
    let now = clock.now
    let latency = decidedAt.duration(to: now)
    flights[ball] = nil
    switch purpose {
    case .decision(var dispatch):
      dispatch.outcome = outcome
      dispatch.latency = latency
      summary.count(outcome, after: latency)
      if lastDispatch?.number == dispatch.number { lastDispatch = dispatch }
      publish(.dispatched(dispatch))
    case .byHand(let number, let continuation):
      let dispatch = ManualDispatch(
        number: number,
        command: command,
        requestedAt: decidedAt,
        outcome: outcome,
        latency: latency
      )
      summary.byHand.count(outcome)
      lastManual = dispatch
      publish(.manual(dispatch))
      if landing.expectsAnswer {
        waiting = dispatch
      } else {
        continuation.resume(returning: .sent(dispatch))
      }
    }
    safety.ended(
      ball,
      wasSent: outcome.mayHaveArrived,
      wasTaken: landing.wasTaken,
      at: now
    )
    proceed()
    if isWindingDown, flights.isEmpty { giveUp() }
    return waiting
  }

  /// The machine has answered a command, or its time for that is over.
  private func answered(
    _ purpose: BallPurpose,
    _ manual: ManualDispatch?,
    _ answer: MachineAnswer,
    _ decidedAt: MonotonicInstant,
    _ outcome: WriteOutcome
  ) {
    let now = clock.now
    summary.answers.count(answer)
    let number: Int
    switch purpose {
    case .decision(let dispatch):
      number = dispatch.number
      if lastDispatch?.number == number { lastDispatch?.answer = answer }
    case .byHand(let manualNumber, _):
      number = manualNumber
      if lastManual?.number == number { lastManual?.answer = answer }
    }
    let event = CommandAnswer(
      number: number,
      isByHand: manual != nil,
      answer: answer,
      time: now,
      latency: decidedAt.duration(to: now)
    )
    publish(.answered(event))
    if case .byHand(_, let continuation) = purpose, var manual {
      manual.answer = answer
      continuation.resume(returning: .sent(manual))
    }
    safety.answered(wasTaken: answer.wasTaken(after: outcome), at: now)
    proceed()
  }

  // MARK: Stop commands

  /// Writes the stop command, on the next link if there is none now.
  func writeStop() {
    stopMayHaveLeft = status.phase == .ready
    stopTask = Task(priority: .urgent) { [link] in
      let outcome = await link.sendStop()
      self.stopLanded(outcome)
      self.proceed()
    }
  }

  func stopLanded(_ outcome: WriteOutcome) {
    if case .notSent = outcome, !summary.wasReady {
      // No machine was ever ready: there is nothing to stop.
    } else {
      summary.stop = outcome
      publish(.stopped(outcome))
    }
    let stop = StopOutcome(outcome)
    lastStop = stop
    safety.stopEnded(stop, at: clock.now)
    keepDebt()
    for waiter in stopWaiters { waiter.continuation.resume(returning: stop) }
    stopWaiters = []
  }

  /// Answers expired stop waiters with what is known by now; the link goes on trying.
  func expireStopWaiters() {
    let now = clock.now
    let known: StopOutcome =
      stopMayHaveLeft
      ? .unconfirmed
      : .notDelivered(reason: "the machine is away; it gets the stop command first when it is back")
    for waiter in stopWaiters where waiter.deadline <= now {
      waiter.continuation.resume(returning: known)
    }
    stopWaiters.removeAll { $0.deadline <= now }
  }
}
