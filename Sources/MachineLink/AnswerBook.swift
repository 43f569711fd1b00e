import Clocks

/// The machine's answers on one link, matched to the command in flight.
///
/// Answers bear no number. So an answer counts for the last command that was written, within 2 s;
/// any other one is only counted. Where it may be a ball's it confirms no stop command, and where it may
/// be a stop command's it is no ball's.
package struct AnswerBook: Hashable, Sendable {
  /// How long the machine may take to answer.
  private let window: Duration
  private let checkByte: CheckByte?
  /// Nil until a link is ready.
  private var isHeard: Bool?

  private var ball: Ball?
  /// The last one that was reported: its command may ask for it after a stop command or the link's end.
  private var lastSettled: Settled?
  /// Up to then an answer may be a ball's, that of a program before this one included: its write may have
  /// left as late as it was answered or given up, and machines repeat answers.
  private(set) var ballsAnswerUntil: MonotonicInstant?
  /// Up to then an answer may be that of a stop command that has ended: its write may have left as late as
  /// it was answered or given up.
  private var stopsAnswerUntil: MonotonicInstant?
  package private(set) var oddities = AnswerOddities()

  private struct Ball: Hashable {
    let id: CommandID
    let writtenAt: MonotonicInstant
    var answer = MachineAnswer.none
    /// What became of the write; nil until it is known.
    var outcome: WriteOutcome?
    /// Whether the answer was reported.
    var isSettled = false

    var isFinal: Bool { answer == .completed || answer == .refused }
  }

  /// - Parameter now: a program that ended just before may have written a ball, whose answer may come.
  init(encoding: CommandEncoding, window: Duration, at now: MonotonicInstant) {
    self.window = window
    if case .framed(let checkByte) = encoding {
      self.checkByte = checkByte
    } else {
      checkByte = nil
    }
    ballMayHaveLeft(at: now)
  }

  /// Whether commands get answers on this link.
  var expectsAnswers: Bool { isHeard == true }
  /// How long the machine may take to answer on this link.
  var longestAnswer: Duration { expectsAnswers ? window : .zero }
  /// Whether the machine answers, but can't be heard.
  var isDeaf: Bool { checkByte != nil && isHeard == false }

  mutating func open(isHeard: Bool) { self.isHeard = isHeard }

  /// The link is over. What the machine still says of its ball may come on the next one.
  mutating func close() {
    isHeard = nil
    ball = nil
  }

  /// A ball's write was answered or given up. Where its answer can't be heard on this link, it may be on
  /// the next one.
  mutating func ballMayHaveLeft(at now: MonotonicInstant) {
    if checkByte != nil { ballsAnswerUntil = now.advanced(by: window) }
  }

  // MARK: Balls

  /// Before that, its answer might be that of a stop command; nil: it has none.
  var earliestBall: MonotonicInstant? { expectsAnswers ? stopsAnswerUntil : nil }

  /// An answer that is final now.
  struct Settled: Hashable {
    let id: CommandID
    let answer: MachineAnswer
    /// What became of the command's write.
    let outcome: WriteOutcome
  }

  /// - Returns: the answer of the ball before it, if it was still awaited.
  mutating func ballWritten(_ id: CommandID, at now: MonotonicInstant) -> Settled? {
    guard expectsAnswers else { return nil }
    defer { ball = Ball(id: id, writtenAt: now) }
    return settle()
  }

  /// The outcome of the ball's write is known: its answer may be reported from now on.
  ///
  /// A command that was not sent gets no answer; but another program may have written meanwhile, and
  /// the machine answers that.
  mutating func ballEnded(
    _ id: CommandID,
    _ outcome: WriteOutcome,
    at now: MonotonicInstant
  ) -> Settled? {
    ballMayHaveLeft(at: now)
    guard let ball, ball.id == id else { return nil }
    guard outcome.mayHaveArrived else {
      self.ball = nil
      return nil
    }
    self.ball?.outcome = outcome
    return ball.isFinal || now >= ball.writtenAt.advanced(by: window) ? settle() : nil
  }

  /// The time for an answer is over, or nothing follows on this link.
  mutating func settle() -> Settled? {
    guard let ball, let outcome = ball.outcome, !ball.isSettled else { return nil }
    self.ball?.isSettled = true
    let settled = Settled(id: ball.id, answer: ball.answer, outcome: outcome)
    lastSettled = settled
    return settled
  }

  /// The answer so far of the last ball, and whether it is final; nil if none is to come.
  func answer(to id: CommandID) -> (answer: MachineAnswer, isSettled: Bool)? {
    if let ball, ball.id == id { return (ball.answer, ball.isSettled) }
    guard let lastSettled, lastSettled.id == id else { return nil }
    return (lastSettled.answer, true)
  }

  // MARK: Stop commands

  /// A stop command was written. The answers of a ball before it may still come.
  mutating func stopWritten(at now: MonotonicInstant) -> Settled? {
    guard checkByte != nil else { return nil }
    stopMayHaveLeft(at: now)
    defer { ball = nil }
    return settle()
  }

  /// Notes that a stop command's write begins, is answered or is given up.
  mutating func stopMayHaveLeft(at now: MonotonicInstant) {
    if checkByte != nil { stopsAnswerUntil = now.advanced(by: window) }
  }

  // MARK: Answers

  enum Reading: Hashable {
    /// Nothing to do, or only counted.
    case nothing
    case settled(Settled)
    /// The machine's word on the stop command that is on its way.
    case stop(MachineAnswer)
  }

  /// - Parameter stop: the one that is to be confirmed.
  mutating func received(
    _ bytes: [UInt8],
    receipt: UInt64,
    stop: StopRequest?,
    at now: MonotonicInstant
  ) -> Reading {
    guard let checkByte, expectsAnswers else { return .nothing }
    let frame: AnswerFrame
    do throws(AnswerFrame.Flaw) { frame = try AnswerFrame(bytes, expecting: checkByte) } catch {
      switch error {
      case .malformed: oddities.malformed += 1
      case .wrongCheckByte: oddities.wrongCheckByte += 1
      }
      return .nothing
    }
    if frame.hasOtherCheckByte { oddities.otherCheckByte += 1 }
    if let stop, stop.isWritten {
      return stop.isAnswered(at: receipt) ? .stop(frame.answer) : .nothing
    }
    // A repeated stop command gets an answer each time.
    if let stopsAnswerUntil, now <= stopsAnswerUntil { return .nothing }
    guard let ball, now <= ball.writtenAt.advanced(by: window) else {
      if self.ball == nil { oddities.unasked += 1 } else { oddities.late += 1 }
      return .nothing
    }
    guard !ball.isSettled, !ball.isFinal, ball.answer != frame.answer else {
      oddities.doubled += 1
      return .nothing
    }
    self.ball?.answer = frame.answer
    guard self.ball?.isFinal == true, let settled = settle() else { return .nothing }
    return .settled(settled)
  }
}

/// How many answers there were that no command was waiting for, or that can't be read. Since the
/// program began.
package struct AnswerOddities: Hashable, Sendable {
  /// More than 2 s after their command.
  package var late = 0
  /// A second one of a kind, or one after the last.
  package var doubled = 0
  /// No command had been written on the link.
  package var unasked = 0
  /// Cut, too long, or other bytes.
  package var malformed = 0
  package var wrongCheckByte = 0
  /// Answers with the check byte that is not configured: these are taken.
  package var otherCheckByte = 0

  package init() {}
}
