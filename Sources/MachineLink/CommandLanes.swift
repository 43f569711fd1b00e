package import BlueZ
package import Clocks
package import CourtLogic

/// The commands on their way to the machine: ball commands through one slot, stop commands through
/// a lane of their own.
///
/// ```
///   ball ──▶ slot ── time, no write in flight ──▶ write in flight ──▶ outcome
///                                                      │ stop
///                                                      ▼
///   stop ──▶ stop lane, ahead of the slot           overtaken ──▶ (answer awaited, outcome known)
/// ```
///
/// Between two links only the stop command, the time of the last ball and the refusals remain.
package struct CommandLanes: Hashable, Sendable {
  private let encoding: CommandEncoding
  private let stopCommand: MachineCommand
  private let timing: LinkTiming

  /// What takes the commands; nil while there is no link.
  private var characteristic: CommandCharacteristic?
  /// The ball command that waits for its turn.
  private var slot: Slot?
  private var inFlight: Write?
  /// A ball's write that a stop command overtook: its outcome was reported, its answer is awaited.
  private var overtaken: OperationID?
  private var stop: StopRequest?
  private var lastBall: LastBall?
  /// Ball commands in a row that the machine did not take; any command that it takes ends the row.
  package private(set) var refusals: Refusals?
  package private(set) var answers: AnswerBook

  package init(
    encoding: CommandEncoding,
    stopCommand: MachineCommand,
    timing: LinkTiming,
    at now: MonotonicInstant
  ) {
    self.encoding = encoding
    self.stopCommand = stopCommand
    self.timing = timing
    answers = AnswerBook(encoding: encoding, window: timing.answer, at: now)
  }

  /// Whether no write waits for an answer and no stop command is to be sent.
  package var isDone: Bool { inFlight == nil && overtaken == nil && stop == nil }

  /// Whether a stop command is to be sent, or has no outcome yet.
  package var isStopWanted: Bool { stop != nil }

  /// Whether the stop command that is to be sent was written, so that the machine may have it.
  package var stopMayHaveArrived: Bool { isStopInFlight || stop?.mayHaveArrived == true }

  private var isStopInFlight: Bool {
    if case .stop? = inFlight?.purpose { true } else { false }
  }

  /// Why the stop command that is to be sent does not get through on this link; nil if that isn't known.
  package var stopFailure: WriteOutcome? {
    characteristic == nil ? nil : stop?.outcomeOfFailure(isInFlight: isStopInFlight)
  }

  // MARK: Taking commands

  /// Puts a ball command into the slot, where the newest wins, and sends it as soon as allowed.
  package mutating func submit(_ ball: Slot, _ effects: inout LinkEffects) {
    guard stop == nil, characteristic != nil else {
      let reason: WriteOutcome.Reason = characteristic == nil ? .linkNotReady : .stopPending
      effects.act(.resolve(ball.id, .notSent(reason)))
      return
    }
    if let slot { effects.act(.resolve(slot.id, .notSent(.superseded))) }
    slot = ball
    pump(&effects)
  }

  /// Sends the stop command ahead of all others, on the next link if there is none.
  package mutating func requestStop(_ id: CommandID, _ effects: inout LinkEffects) {
    if stop == nil { stop = StopRequest(id) } else { stop?.join(id) }
    emptySlot(.stopPending, &effects)
    if let write = inFlight, case .ball(let ball) = write.purpose {
      let outcome = WriteOutcome.unknown(.abandonedForStop)
      effects.act(.resolve(ball, outcome))
      settle(answers.ballEnded(ball, outcome, at: effects.now), &effects)
      inFlight = nil
      overtaken = write.operation
      effects.cancelTimer(.write)
      effects.setTimer(.overtaken, after: timing.write)
    }
    pump(&effects)
  }

  /// Ends the command in the slot.
  package mutating func emptySlot(_ reason: WriteOutcome.Reason, _ effects: inout LinkEffects) {
    guard let slot else { return }
    self.slot = nil
    effects.cancelTimer(.slot)
    effects.act(.resolve(slot.id, .notSent(reason)))
  }

  // MARK: Sending

  /// A link is ready: the stop command goes first.
  ///
  /// - Parameter isHeard: whether the machine's answers come in.
  package mutating func open(
    to characteristic: CommandCharacteristic,
    isHeard: Bool = false,
    _ effects: inout LinkEffects
  ) {
    self.characteristic = characteristic
    answers.open(isHeard: isHeard)
    stop?.linkOpened()
    pump(&effects)
  }

  /// Sends what may be sent now, or sets the timer for when it may.
  package mutating func pump(_ effects: inout LinkEffects) {
    guard let characteristic else { return }
    if stop != nil {
      sendStop(to: characteristic, &effects)
    } else {
      sendBall(to: characteristic, &effects)
    }
  }

  private mutating func sendBall(
    to characteristic: CommandCharacteristic,
    _ effects: inout LinkEffects
  ) {
    guard let ball = slot else { return }
    let expiry = ball.decidedAt.advanced(by: timing.commandLife)
    let earliest = max(
      lastBall?.earliestNext(timing) ?? effects.now,
      answers.earliestBall ?? effects.now
    )
    if effects.now > expiry {
      emptySlot(.expired, &effects)
    } else if earliest > expiry {
      emptySlot(.tooSoon, &effects)
    } else if inFlight != nil || overtaken != nil {
      // The next answer sends it; if none comes in time it has expired.
      effects.setTimer(.slot, at: expiry.advanced(by: .nanoseconds(1)))
    } else if earliest > effects.now {
      effects.setTimer(.slot, at: earliest)
    } else {
      slot = nil
      lastBall = LastBall(writtenAt: effects.now)
      effects.cancelTimer(.slot)
      settle(answers.ballWritten(ball.id, at: effects.now), &effects)
      if answers.expectsAnswers { effects.setTimer(.answer, after: timing.answer) }
      write(ball.command, .ball(ball.id), to: characteristic, characteristic.mode, &effects)
    }
  }

  private mutating func sendStop(
    to characteristic: CommandCharacteristic,
    _ effects: inout LinkEffects
  ) {
    guard inFlight == nil, !effects.isSet(.stop) else { return }
    if let outcome = stop?.outcomeUnanswered(at: effects.now) {
      resolveStop(outcome, &effects)
      return
    }
    guard let mode = stop?.nextMode(on: characteristic, isBlocked: overtaken != nil)
    else { return }
    let isClear = overtaken == nil && effects.now >= answers.ballsAnswerUntil ?? effects.now
    stop?.wasWritten(mode, isClear: isClear)
    settle(answers.stopWritten(at: effects.now), &effects)
    write(stopCommand, .stop, to: characteristic, mode, &effects)
  }

  private mutating func write(
    _ command: MachineCommand,
    _ purpose: Write.Purpose,
    to characteristic: CommandCharacteristic,
    _ mode: WriteMode,
    _ effects: inout LinkEffects
  ) {
    let operation = effects.beginWrite(
      command,
      as: encoding,
      to: characteristic.path,
      mode: mode,
      isStop: purpose == .stop,
      deadline: timing.write
    )
    inFlight = Write(operation: operation, purpose: purpose, mode: mode)
  }

  // MARK: Answers

  /// Takes the answer to the write that a stop command overtook.
  ///
  /// - Returns: false if the answer is to another one.
  package mutating func overtakenFinished(
    _ id: OperationID,
    _ effects: inout LinkEffects
  ) -> Bool {
    guard overtaken == id else { return false }
    overtakenEnded(at: effects.now)
    effects.cancelTimer(.overtaken)
    // It can be acknowledged now.
    if characteristic?.takesRequests == true { effects.cancelTimer(.stop) }
    return true
  }

  private mutating func overtakenEnded(at now: MonotonicInstant) {
    overtaken = nil
    lastBall?.settle(at: now)
    answers.ballMayHaveLeft(at: now)
  }

  /// Takes the answer to the write in flight. ``pump(_:)`` sends the next one.
  ///
  /// - Returns: false if the answer is to another one.
  package mutating func writeFinished(
    _ id: OperationID,
    _ error: BlueZError?,
    receipt: UInt64,
    _ effects: inout LinkEffects
  ) -> Bool {
    guard let write = inFlight, write.operation == id else { return false }
    inFlight = nil
    effects.cancelTimer(.write)
    let outcome = error.map(WriteOutcome.init) ?? (write.mode == .request ? .delivered : .queued)
    switch write.purpose {
    case .ball(let ball):
      settle(ball, outcome, &effects)
    case .stop: stopFinished(outcome, receipt, &effects)
    }
    return true
  }

  private mutating func stopFinished(
    _ outcome: WriteOutcome,
    _ receipt: UInt64,
    _ effects: inout LinkEffects
  ) {
    answers.stopMayHaveLeft(at: effects.now)
    // The machine's answer may have ended it before its write was through.
    guard stop?.isWritten == true else { return }
    stop?.ended(outcome)
    switch outcome {
    case .delivered where answers.expectsAnswers, .queued where answers.expectsAnswers:
      // Only the machine's own word confirms it.
      stop?.awaitAnswer(after: receipt, until: effects.now.advanced(by: timing.answer))
      effects.setTimer(.stop, after: timing.stopRepeat)
    case .delivered where answers.isDeaf:
      resolveStop(.queued, &effects)
    case .delivered:
      refusals = nil
      resolveStop(.delivered, &effects)
    case .queued where characteristic?.takesRequests == true:
      // It can be acknowledged as soon as the write that it overtook is out of the way.
      if overtaken != nil { effects.setTimer(.stop, after: timing.stopRepeat) }
    case .queued where stop?.isRepeatedEnough == true: resolveStop(.queued, &effects)
    case .queued, .unknown, .notSent: effects.setTimer(.stop, after: timing.stopRepeat)
    }
  }

  /// The machine has said something.
  package mutating func notified(
    _ bytes: [UInt8],
    receipt: UInt64,
    _ effects: inout LinkEffects
  ) {
    switch answers.received(bytes, receipt: receipt, stop: stop, at: effects.now) {
    case .nothing: break
    case .settled(let settled): settle(settled, &effects)
    case .stop(let answer):
      stop?.answered(answer)
      guard answer.isPositive else { return }
      refusals = nil
      resolveStop(.delivered, &effects)
    }
  }

  /// The machine's answer to the last ball is too late.
  package mutating func answerDeadlinePassed(_ effects: inout LinkEffects) {
    settle(answers.settle(), &effects)
  }

  private mutating func settle(_ settled: AnswerBook.Settled?, _ effects: inout LinkEffects) {
    guard let settled else { return }
    switch settled.answer.wasTaken(after: settled.outcome) {
    case true?: refusals = nil
    case false?: refuse(.unknown(.unconfirmed(settled.answer)))
    case nil: break
    }
    effects.act(.answered(settled.id, settled.answer))
  }

  private mutating func refuse(_ outcome: WriteOutcome) {
    if refusals?.add(outcome) == nil { refusals = Refusals(outcome) }
  }

  private mutating func resolveStop(_ outcome: WriteOutcome, _ effects: inout LinkEffects) {
    guard let request = stop else { return }
    stop = nil
    effects.cancelTimer(.stop)
    for id in request.ids { effects.act(.resolve(id, outcome)) }
  }

  /// A write was not answered in time: a ball's outcome is unknown.
  package mutating func deadlinePassed(_ effects: inout LinkEffects) {
    endBallInFlight(.timedOut, &effects)
  }

  private mutating func endBallInFlight(
    _ doubt: WriteOutcome.Doubt,
    _ effects: inout LinkEffects
  ) {
    guard let write = inFlight, case .ball(let ball) = write.purpose else { return }
    inFlight = nil
    settle(ball, .unknown(doubt), &effects)
    effects.act(.abandon(write.operation))
  }

  /// The outcome of a ball's write is known.
  private mutating func settle(
    _ ball: CommandID,
    _ outcome: WriteOutcome,
    _ effects: inout LinkEffects
  ) {
    lastBall?.settle(at: effects.now)
    switch outcome.wasTaken {
    // Where the machine answers, its answer counts.
    case true? where answers.expectsAnswers: break
    case true?: refusals = nil
    case false?: refuse(outcome)
    case nil: break
    }
    effects.act(.resolve(ball, outcome))
    settle(answers.ballEnded(ball, outcome, at: effects.now), &effects)
  }

  // MARK: The end of a link

  package enum Closing: Hashable, Sendable {
    case linkLost
    case ended

    var reason: WriteOutcome.Reason { self == .ended ? .ended : .linkLost }
    var doubt: WriteOutcome.Doubt { self == .ended ? .ended : .linkLost }
  }

  /// The link is over: every ball command ends. The stop command survives.
  package mutating func close(_ cause: Closing, _ effects: inout LinkEffects) {
    characteristic = nil
    emptySlot(cause.reason, &effects)
    endBallInFlight(cause.doubt, &effects)
    if let write = inFlight {
      inFlight = nil
      answers.stopMayHaveLeft(at: effects.now)
      stop?.lostWrite()
      effects.act(.abandon(write.operation))
    }
    if let operation = overtaken {
      overtakenEnded(at: effects.now)
      effects.act(.abandon(operation))
    }
    settle(answers.settle(), &effects)
    answers.close()
    for timer in [LinkTimer.Purpose.write, .overtaken, .stop, .answer] {
      effects.cancelTimer(timer)
    }
  }

  /// No link will follow: the stop command ends too.
  package mutating func endStop(_ effects: inout LinkEffects) {
    guard let stop else { return }
    resolveStop(stop.outcomeAtEnd, &effects)
  }
}
