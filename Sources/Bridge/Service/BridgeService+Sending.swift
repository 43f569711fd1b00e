import Clocks
import ControlProtocol
import CourtLogic
import Host
import JSON
import MachineLink
import Safety
import Training

// One ball at a time leaves the bridge.

extension BridgeService {
  /// Why the ball is sent.
  enum BallPurpose {
    /// With the drill's progress once it has left.
    case decision(DispatchRecord, SessionDrill?)
    case byHand(number: Int, CheckedContinuation<ManualReply, Never>)
  }

  /// Asks the logic, if it is time, and sends what it decides, if safety allows.
  func ask() {
    let now = clock.now
    guard let next = nextQuestion, next <= now, let followed = logic.decide(at: now),
      let (decision, drill) = aim(followed)
    else { return }
    guard let ball = safety.allow(for: decision.position, every: logic.interval, at: now) else {
      hold(decision)
      return
    }
    reportedHolds = []
    summary.count(decision)
    var dispatch = DispatchRecord(
      number: summary.counts.dispatches,
      decision: DecisionRecord(decision)
    )
    let turn = turn(to: decision.command)
    if turn > logic.interval { dispatch.slew = turn.seconds.rounded(places: 3) }
    lastDispatch = dispatch
    launch(ball, decision.command, decidedAt: decision.time, as: .decision(dispatch, drill))
  }

  /// How long the machine turns from the last ball to this one.
  private func turn(to command: MachineCommand) -> Duration {
    lastCommand.map { slew.time(from: $0, to: command) } ?? .zero
  }

  private func hold(_ decision: Decision) {
    let holds = safety.holds
    guard !holds.isEmpty else { return }
    summary.held += 1
    guard holds != reportedHolds else { return }
    reportedHolds = holds
    let held = HeldRecord(
      decision: DecisionRecord(decision),
      holds: holds.map { SafetyRecord.Hold($0) }
    )
    publish(.record(.held(held), at: decision.time))
  }

  func launch(
    _ ball: SafetyCore.Ball,
    _ command: MachineCommand,
    decidedAt: MonotonicInstant,
    as purpose: BallPurpose
  ) {
    // A program that is killed after this ball owes the machine a stop command.
    keepDebt()
    // It was before this ball.
    lastStop = nil
    // The next ball waits until the machine has turned for this one.
    let turned = decidedAt.advanced(by: turn(to: command))
    logic.postpone(until: turned)
    safety.turns(until: turned)
    isLaunching = true
    defer { isLaunching = false }
    // Begins here and now, so that nothing comes between the decision and the link.
    lastFlight = Task.immediate(priority: .medium, executorPreference: OneThread.tasks) {
      [link, limits, clock] in
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
      if isLaunching { await OneThread.yield() }
      let landing = Landing(
        purpose: purpose,
        command: command,
        decidedAt: decidedAt,
        outcome: outcome,
        latency: decidedAt.duration(to: clock.now),
        expectsAnswer: id != nil
      )
      self.landed(ball, landing)
      guard let id else { return }
      // A command by hand gets its reply in any case.
      self.answered(landing, await link.answer(to: id) ?? MachineAnswer.none)
    }
  }

  /// A ball's command whose write has its outcome.
  private struct Landing {
    let purpose: BallPurpose
    let command: MachineCommand
    let decidedAt: MonotonicInstant
    let outcome: WriteOutcome
    let latency: Duration
    /// Whether the machine's answer follows.
    let expectsAnswer: Bool

    /// Where the machine answers a command that its radio has taken, the answer says.
    var wasTaken: Bool? { expectsAnswer && outcome.isWritten ? nil : outcome.wasTaken }

    func manual(_ number: Int, answer: MachineAnswer? = nil) -> ManualRecord {
      var record = ManualRecord(
        number: number,
        command: command.text,
        outcome: OutcomeRecord(outcome),
        latency: latency.seconds.rounded(places: 6)
      )
      record.answer = answer?.rawValue
      return record
    }
  }

  private func landed(_ ball: SafetyCore.Ball, _ landing: Landing) {
    // Before anyone hears of it: the next ball's earliest time counts from here.
    let now = clock.now
    let outcome = landing.outcome
    if outcome.mayHaveArrived { lastCommand = landing.command }
    switch landing.purpose {
    case .decision(var dispatch, let drill):
      if outcome.mayHaveArrived { progress(to: drill) }
      dispatch.outcome = OutcomeRecord(outcome)
      dispatch.latency = landing.latency.seconds.rounded(places: 6)
      summary.count(outcome, after: landing.latency)
      if lastDispatch?.number == dispatch.number { lastDispatch = dispatch }
      publish(.record(.dispatch(dispatch), at: landing.decidedAt))
    case .byHand(let number, let continuation):
      let manual = landing.manual(number)
      summary.counts.manualOutcomes.add(outcome.word)
      let t = landing.decidedAt.seconds.rounded(places: 6)
      lastManual = TimedManualRecord(t: t, manual: manual)
      publish(.record(.manual(manual), at: landing.decidedAt))
      if !landing.expectsAnswer {
        continuation.resume(returning: .sent(manual, at: landing.decidedAt))
      }
    }
    safety.ended(
      ball,
      wasSent: outcome.mayHaveArrived,
      wasTaken: landing.wasTaken,
      at: now
    )
    proceed()
    if stage == .windingDown, !safety.isBallOnItsWay { giveUp() }
  }

  /// The machine has answered a command, or its time for that is over.
  private func answered(_ landing: Landing, _ answer: MachineAnswer) {
    let now = clock.now
    summary.counts.answers.add(answer.rawValue)
    func report(_ number: Int, to kind: String) {
      let record = AnswerRecord(
        number: number,
        to: kind,
        answer: answer.rawValue,
        latency: landing.decidedAt.duration(to: now).seconds.rounded(places: 6)
      )
      publish(.record(.answer(record), at: now))
    }
    switch landing.purpose {
    case .decision(let dispatch, _):
      if lastDispatch?.number == dispatch.number { lastDispatch?.answer = answer.rawValue }
      report(dispatch.number, to: "dispatch")
    case .byHand(let number, let continuation):
      if lastManual?.manual.number == number { lastManual?.manual.answer = answer.rawValue }
      report(number, to: "manual")
      let manual = landing.manual(number, answer: answer)
      continuation.resume(returning: .sent(manual, at: landing.decidedAt))
    }
    safety.answered(wasTaken: answer.wasTaken(after: landing.outcome), at: now)
    proceed()
  }
}
