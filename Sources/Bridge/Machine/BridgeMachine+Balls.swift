import Clocks
import ControlProtocol
import CourtLogic
import JSON
import MachineLink
import Safety

// One ball at a time leaves the bridge.

extension BridgeMachine {
  /// Asks the logic, if it is time, and sends what it decides, if safety allows.
  mutating func decide() {
    guard let next = nextQuestion, next <= now, let followed = logic.decide(at: now),
      let (decision, drill) = aim(followed)
    else { return }
    guard let ball = safety.allow(for: decision.position, every: logic.interval, at: now) else {
      return hold(decision)
    }
    reported.holds = []
    summary.count(decision)
    var dispatch = DispatchRecord(
      number: summary.counts.dispatches,
      decision: DecisionRecord(decision)
    )
    let turn = turn(to: decision.command)
    if turn > logic.interval { dispatch.slew = turn.seconds.rounded(places: 3) }
    balls.lastDispatch = dispatch
    launch(ball, decision.command, decidedAt: decision.time, as: .decision(dispatch, drill))
  }

  /// How long the machine turns from the last ball to this one.
  private func turn(to command: MachineCommand) -> Duration {
    balls.lastCommand.map { slew.time(from: $0, to: command) } ?? .zero
  }

  private mutating func hold(_ decision: Decision) {
    let holds = safety.holds
    guard !holds.isEmpty else { return }
    summary.held += 1
    guard holds != reported.holds else { return }
    reported.holds = holds
    let held = HeldRecord(
      decision: DecisionRecord(decision),
      holds: holds.map { SafetyRecord.Hold($0) }
    )
    act(.publish(.record(.held(held), at: decision.time)))
  }

  mutating func launch(
    _ ball: SafetyCore.Ball,
    _ command: MachineCommand,
    decidedAt: MonotonicInstant,
    as purpose: BallLedger.Purpose
  ) {
    // A program that is killed after this ball owes the machine a stop command.
    keepDebt()
    // That outcome is from before this ball.
    stops.last = nil
    // The next ball waits until the machine has turned for this one.
    let turned = decidedAt.advanced(by: turn(to: command))
    logic.postpone(until: turned)
    safety.turns(until: turned)
    balls.left(
      ball,
      BallLedger.Flight(purpose: purpose, command: command, decidedAt: decidedAt)
    )
    // Check the values again: they may have been loaded for another machine.
    do { try limits.check(command) } catch {
      return balls.refuse(ball, .notSent(.notAllowed("\(error)")))
    }
    act(.launch(ball, command, decidedAt: decidedAt))
  }

  mutating func landed(
    _ ball: SafetyCore.Ball,
    _ outcome: WriteOutcome,
    expectsAnswer: Bool
  ) {
    guard
      let (flight, landing) = balls.land(ball, outcome, expectsAnswer: expectsAnswer, at: now)
    else { return }
    let decidedAt = flight.decidedAt
    if outcome.mayHaveArrived { balls.lastCommand = flight.command }
    switch flight.purpose {
    case .decision(var dispatch, let drill):
      if outcome.mayHaveArrived { progress(to: drill) }
      dispatch.outcome = OutcomeRecord(outcome)
      dispatch.latency = landing.latency.seconds.rounded(places: 6)
      summary.count(outcome, after: landing.latency)
      if balls.lastDispatch?.number == dispatch.number { balls.lastDispatch = dispatch }
      act(.publish(.record(.dispatch(dispatch), at: decidedAt)))
    case .byHand(let number, let id):
      let manual = landing.manual(number, flight)
      summary.counts.manualOutcomes.add(outcome.word)
      balls.lastManual = TimedManualRecord(
        t: decidedAt.seconds.rounded(places: 6),
        manual: manual
      )
      act(.publish(.record(.manual(manual), at: decidedAt)))
      if !expectsAnswer { act(.replyByHand(id, .sent(manual, at: decidedAt))) }
    }
    safety.ended(
      ball,
      wasSent: outcome.mayHaveArrived,
      // Where the machine answers a command that its radio has taken, the answer says.
      wasTaken: expectsAnswer && outcome.isWritten ? nil : outcome.wasTaken,
      at: now
    )
    proceed()
    giveUpIfThrough()
  }

  /// The machine has answered a command, or its time for that is over.
  mutating func answered(_ ball: SafetyCore.Ball, _ answer: MachineAnswer) {
    guard let (flight, landing) = balls.answer(ball) else { return }
    summary.counts.answers.add(answer.rawValue)
    switch flight.purpose {
    case .decision(let dispatch, _):
      if balls.lastDispatch?.number == dispatch.number {
        balls.lastDispatch?.answer = answer.rawValue
      }
      publish(answer, to: "dispatch", dispatch.number, after: flight)
    case .byHand(let number, let id):
      if balls.lastManual?.manual.number == number {
        balls.lastManual?.manual.answer = answer.rawValue
      }
      publish(answer, to: "manual", number, after: flight)
      // A command by hand gets its reply in any case.
      let manual = landing.manual(number, flight, answer: answer)
      act(.replyByHand(id, .sent(manual, at: flight.decidedAt)))
    }
    safety.answered(wasTaken: answer.wasTaken(after: landing.outcome), at: now)
    proceed()
  }

  private mutating func publish(
    _ answer: MachineAnswer,
    to kind: String,
    _ number: Int,
    after flight: BallLedger.Flight
  ) {
    let record = AnswerRecord(
      number: number,
      to: kind,
      answer: answer.rawValue,
      latency: flight.decidedAt.duration(to: now).seconds.rounded(places: 6)
    )
    act(.publish(.record(.answer(record), at: now)))
  }
}
