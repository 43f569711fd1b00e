import BlueZ
import Clocks
import CourtLogic
import TestSupport
import Testing

@testable import MachineLink

/// The answers of a framed machine, on a link that is fed by hand.
@Suite struct AnswerTests {
  private var driver = Driver(configuration: LinkConfiguration(encoding: .framed(.modbus)))
  private static let ball = try! MachineCommand(text: "40,40,20,45,50")
  private static let accepted = frame(1)
  private static let completed = frame(2)
  private static let refused = frame(0)

  /// With a check byte computed apart from this program, see ``CommandEncodingTests``.
  private static func frame(_ code: UInt8, _ check: CheckByte = .modbus) -> [UInt8] {
    let checks: [CheckByte: [UInt8]] = [.modbus: [0x62, 0xA3, 0xE3], .xor: [0x7D, 0x7C, 0x7F]]
    return [0x5A, 0xA5, 0x82, code, checks[check]![Int(code)]]
  }

  private static func bluez(flags: [String]) -> BlueZModel {
    var bluez = BlueZModel()
    bluez.peers[0].table[0].flags = flags
    return bluez
  }

  init() {
    driver.bluez = Self.bluez(flags: ["write", "notify"])
    driver.becomeReady()
    // What a program before this one wrote is answered by then.
    driver.advance(by: .seconds(2))
  }

  private var answers: [UInt64: MachineAnswer] {
    Dictionary(uniqueKeysWithValues: driver.answers.map { ($0.key.number, $0.value) })
  }

  private var oddities: AnswerOddities { driver.machine.lanes.answers.oddities }

  private mutating func submit(_ number: UInt64) {
    driver.feed(.submitted(CommandID(number: number), Self.ball, decidedAt: driver.now))
  }

  /// The link falls, and is ready a tenth of a second later.
  private mutating func reconnect() {
    driver.change {
      $0.peers[0].isConnected = false
      $0.peers[0].isResolved = false
      $0.peers[0].isTrusted = true
    }
    driver.advance(by: .milliseconds(100))
    driver.change { $0.peers[0].isConnected = true }
    driver.answer()  // connect
    driver.answer()  // observe: is there a link?
    driver.change { $0.peers[0].isResolved = true }
    driver.answer()  // observe: what is in it?
    driver.answer()  // notify
  }

  private mutating func say(_ bytes: [UInt8]) { driver.say(bytes) }

  private func outcome(_ number: UInt64) -> WriteOutcome? {
    driver.outcomes[CommandID(number: number)]
  }

  /// Whether a stop command waits for the answer to its write.
  private var isStopOpen: Bool {
    driver.open.contains {
      if case .write(let command, _, _, _) = $0 { command.isStop } else { false }
    }
  }

  // MARK: Asking for answers

  @Test mutating func answersAreAskedForBeforeTheLinkIsReady() {
    driver = Driver(
      bluez: Self.bluez(flags: ["write", "notify"]),
      configuration: LinkConfiguration(encoding: .framed(.modbus))
    )
    driver.findCharacteristic()
    #expect(driver.phase == .resolving)
    guard case .startNotify = driver.open.first else {
      Issue.record("\(driver.open)")
      return
    }
    driver.answer()
    #expect(driver.phase == .ready && driver.statuses.last?.answers == .heard)
  }

  @Test(arguments: [BlueZError.Kind.notSupported, .other, .inProgress, nil])
  mutating func withoutAnswersTheLinkGoesOn(kind: BlueZError.Kind?) {
    driver = Driver(
      bluez: Self.bluez(flags: ["write"] + (kind == nil ? [] : ["notify"])),
      configuration: LinkConfiguration(encoding: .framed(.modbus))
    )
    driver.findCharacteristic()
    if let kind { driver.answer(BlueZError(kind: kind, name: "org.bluez.Error.X", message: "no")) }
    #expect(driver.phase == .ready)
    // In progress: it notifies already.
    if kind == .inProgress {
      #expect(driver.statuses.last?.answers == .heard)
      return
    }
    guard case .unheard(let reason) = driver.statuses.last?.answers else {
      Issue.record("\(String(describing: driver.statuses.last?.answers))")
      return
    }
    #expect(!reason.isEmpty)
    submit(1)
    driver.answer()
    #expect(outcome(1) == .delivered)
    driver.advance(by: .seconds(5))
    #expect(answers == [:] && driver.statuses.last?.refusals == nil)
    // At most written, never confirmed.
    driver.feed(.stopRequested(CommandID(number: 2)))
    driver.answer()
    #expect(outcome(2) == .queued)
  }

  @Test mutating func aSlowSubscriptionDoesNotKeepTheLinkBack() {
    driver = Driver(
      bluez: Self.bluez(flags: ["write", "notify"]),
      configuration: LinkConfiguration(encoding: .framed(.modbus))
    )
    driver.findCharacteristic()
    driver.advance(by: .seconds(9))
    #expect(driver.phase == .resolving)
    driver.advance(by: .seconds(1))
    #expect(driver.phase == .ready)
  }

  // MARK: Balls

  @Test mutating func anAnswerIsASecondValueBesideTheOutcome() {
    submit(1)
    driver.answer()
    #expect(outcome(1) == .delivered && answers == [:])
    say(Self.accepted)
    #expect(answers == [:], "it may still be completed or refused")
    say(Self.completed)
    #expect(answers == [1: .completed] && outcome(1) == .delivered)
    #expect(oddities == AnswerOddities())
  }

  @Test mutating func anAnswerMayComeBeforeTheWritesOwn() {
    submit(1)
    say(Self.accepted)
    say(Self.completed)
    #expect(answers == [:] && outcome(1) == nil)
    driver.answer()
    #expect(outcome(1) == .delivered && answers == [1: .completed])
  }

  @Test mutating func aRefusedWriteIsNotAnswered() {
    submit(1)
    driver.answer(BlueZError(kind: .attribute(0x80), name: "org.bluez.Error.Failed", message: ""))
    driver.advance(by: .seconds(3))
    #expect(outcome(1) == .notSent(.rejected(code: 0x80)) && answers == [:])
    #expect(driver.statuses.last?.refusals?.count == 1)
  }

  @Test mutating func afterTwoSecondsTheAnswerIsWhatItIsByThen() {
    submit(1)
    driver.answer()
    driver.advance(by: .milliseconds(1999))
    #expect(answers == [:])
    driver.advance(by: .milliseconds(1))
    #expect(answers == [1: .none])
    say(Self.completed)
    #expect(answers == [1: .none])
    // The instant itself is in time, later ones are not.
    #expect(oddities.doubled == 1)
    driver.advance(by: .milliseconds(1))
    say(Self.completed)
    #expect(oddities.late == 1)
    driver.advance(by: .seconds(2))
    submit(2)
    driver.answer()
    say(Self.accepted)
    driver.advance(by: .seconds(2))
    #expect(answers == [1: .none, 2: .accepted])
  }

  @Test mutating func oddAnswersAreCountedAndChangeNothing() {
    say(Self.completed)
    #expect(oddities.unasked == 1)
    submit(1)
    driver.answer()
    let broken: [[UInt8]] = [
      [], [0x5A], Array(Self.accepted.prefix(3)), Self.accepted + [0], [0x5A, 0xA5, 0x82, 3, 0x22],
    ]
    for bytes in broken { say(bytes) }
    say([0x5A, 0xA5, 0x82, 1, 0x00])
    #expect(answers == [:])
    say(Self.accepted)
    say(Self.accepted)
    say(Self.frame(2, .xor))
    say(Self.refused)
    #expect(answers == [1: .completed])
    let odd = oddities
    #expect(odd.doubled == 2 && odd.wrongCheckByte + odd.malformed == 6)
    #expect(odd.otherCheckByte == 1 && odd.late == 0)
  }

  @Test mutating func threeRefusedOrUnansweredCommandsAreARow() {
    for number in 1...3 as ClosedRange<UInt64> {
      submit(number)
      driver.answer()
      if number == 2 { say(Self.refused) }
      driver.advance(by: .seconds(3))
    }
    #expect(answers == [1: .none, 2: .refused, 3: .none])
    #expect(driver.statuses.last?.refusals?.count == 3)
    submit(4)
    driver.answer()
    say(Self.completed)
    #expect(driver.statuses.last?.refusals == nil)
  }

  @Test mutating func aLostLinkSettlesTheAnswer() {
    submit(1)
    driver.answer()
    say(Self.accepted)
    driver.change { $0.peers[0].isConnected = false }
    #expect(answers == [1: .accepted])
  }

  // MARK: Stop commands

  @Test mutating func aStopIsConfirmedByTheMachineAlone() {
    driver.feed(.stopRequested(CommandID(number: 1)))
    driver.answer()
    #expect(outcome(1) == nil, "the radio's acknowledgement is not the machine's")
    say(Self.accepted)
    #expect(outcome(1) == .delivered)
    #expect(oddities == AnswerOddities())
  }

  /// As of the safe-stop that follows a service which was killed just after a ball.
  @Test mutating func inTheFirstTwoSecondsAnAnswerMayBeToTheProgramBefore() {
    driver = Driver(
      bluez: Self.bluez(flags: ["write", "notify"]),
      configuration: LinkConfiguration(
        address: BluetoothAddress(BlueZModel.machineAddress),
        encoding: .framed(.modbus)
      )
    )
    driver.feed(.stopRequested(CommandID(number: 1)))
    driver.becomeReady()
    driver.answer()
    say(Self.completed)
    #expect(outcome(1) == nil)
    answerStops(until: .start.advanced(by: .seconds(2)))
    say(Self.completed)
    #expect(outcome(1) == .delivered)
  }

  @Test mutating func anUnansweredStopIsRepeatedAndThenUnconfirmed() {
    driver.feed(.stopRequested(CommandID(number: 1)))
    var writes = 0
    for _ in 0..<40 where outcome(1) == nil {
      if isStopOpen {
        writes += 1
        driver.answer()
      }
      driver.advance(by: .milliseconds(50))
    }
    #expect(outcome(1) == .unknown(.unconfirmed(.none)))
    #expect((7...9).contains(writes), "\(writes)")
    // The lane is free again.
    driver.advance(by: .seconds(3))
    submit(2)
    driver.answer()
    #expect(outcome(2) == .delivered)
  }

  @Test mutating func aRefusedStopIsNotConfirmed() {
    driver.feed(.stopRequested(CommandID(number: 1)))
    for _ in 0..<50 where outcome(1) == nil {
      if isStopOpen { driver.answer() }
      say(Self.refused)
      driver.advance(by: .milliseconds(50))
    }
    #expect(outcome(1) == .unknown(.unconfirmed(.refused)))
  }

  /// The machine answers all the time: for two seconds that may be to a ball.
  private mutating func expectConfirmationAfterTwoSeconds(of stop: UInt64) {
    for _ in 0..<39 {
      if isStopOpen { driver.answer() }
      driver.advance(by: .milliseconds(50))
      say(Self.completed)
      #expect(outcome(stop) == nil)
    }
    answerStops(until: driver.now.advanced(by: .milliseconds(50)))
    say(Self.accepted)
    #expect(outcome(stop) == .delivered)
  }

  /// Answers each write of a stop command up to then, and the first one after it.
  private mutating func answerStops(until end: MonotonicInstant) {
    while driver.now < end || !isStopOpen {
      if isStopOpen { driver.answer() }
      driver.advance(by: .milliseconds(50))
    }
    driver.answer()
  }

  /// Answers bear no number: the ball's own answer must not confirm the stop after it.
  @Test mutating func aBallsAnswerDoesNotConfirmTheStopAfterIt() {
    submit(1)
    driver.answer()
    driver.feed(.stopRequested(CommandID(number: 2)))
    driver.answer()
    say(Self.accepted)
    say(Self.completed)
    #expect(outcome(2) == nil)
    #expect(answers == [1: .none])
    expectConfirmationAfterTwoSeconds(of: 2)
    #expect(oddities == AnswerOddities())
  }

  /// A ball whose write is answered late may have left late, and so may its answer.
  @Test mutating func aBallThatHungDoesNotConfirmTheStopAfterIt() {
    submit(1)
    driver.advance(by: .seconds(1))
    driver.feed(.stopRequested(CommandID(number: 2)))
    driver.advance(by: .seconds(2))
    #expect(!isStopOpen)
    driver.answer()
    #expect(isStopOpen)
    expectConfirmationAfterTwoSeconds(of: 2)
  }

  /// The stop command needs no answer to overtake a ball whose write hangs, and then gets none that
  /// counts before the ball's write is through.
  @Test mutating func aBallThatHangsDoesNotConfirmTheStopThatOvertookIt() {
    driver = Driver(
      bluez: Self.bluez(flags: ["write", "write-without-response", "notify"]),
      configuration: LinkConfiguration(encoding: .framed(.modbus))
    )
    driver.becomeReady()
    driver.advance(by: .seconds(2))
    submit(1)
    driver.advance(by: .seconds(1))
    driver.feed(.stopRequested(CommandID(number: 2)))
    for _ in 0..<16 {
      #expect(isStopOpen)
      driver.finish(driver.begun[1].id)
      say(Self.accepted)
      #expect(outcome(2) == nil)
      driver.advance(by: .milliseconds(250))
    }
  }

  /// The link before could not be subscribed to, or the ball was not sent since another program wrote:
  /// what the machine says within two seconds may be about that.
  @Test(arguments: [true, false])
  mutating func whatMayBeAboutABallBeforeItDoesNotConfirmAStop(isDeaf: Bool) {
    if isDeaf {
      driver = Driver(
        bluez: Self.bluez(flags: ["write", "notify"]),
        configuration: LinkConfiguration(encoding: .framed(.modbus))
      )
      driver.findCharacteristic()
      let refusal = BlueZError(kind: .other, name: "org.bluez.Error.Failed", message: "")
      driver.answer(refusal)
      submit(1)
      driver.feed(.stopRequested(CommandID(number: 2)))
      reconnect()
      #expect(driver.statuses.last?.answers == .heard)
    } else {
      submit(1)
      driver.answer(BlueZError(kind: .inProgress, name: "org.bluez.Error.InProgress", message: ""))
      driver.feed(.stopRequested(CommandID(number: 2)))
    }
    driver.answer()
    say(Self.completed)
    #expect(outcome(2) == nil)
    answerStops(until: driver.now.advanced(by: .seconds(2)))
    say(Self.accepted)
    #expect(outcome(2) == .delivered)
  }

  /// A stop command that was written shortly before the link fell may be answered on the next one.
  @Test mutating func aStopsAnswerOnTheNextLinkIsNoBalls() {
    driver.feed(.stopRequested(CommandID(number: 1)))
    driver.answer()
    say(Self.accepted)
    #expect(outcome(1) == .delivered)
    reconnect()
    submit(2)
    #expect(outcome(2) == .notSent(.tooSoon))
    say(Self.refused)
    #expect(answers == [:])
  }

  /// Its answer could be the stop's.
  @Test mutating func aBallBehindAStopWaitsUntilItsAnswerCanBeTold() {
    driver.feed(.stopRequested(CommandID(number: 1)))
    driver.answer()
    say(Self.completed)
    #expect(outcome(1) == .delivered)
    driver.advance(by: .seconds(1))
    submit(2)
    #expect(outcome(2) == .notSent(.tooSoon))
    driver.advance(by: .milliseconds(600))
    submit(3)
    #expect(driver.open == [] && outcome(3) == nil)
    driver.advance(by: .milliseconds(401))
    driver.answer()
    say(Self.completed)
    #expect(outcome(3) == .delivered && answers == [3: .completed])
  }

  /// The stop may have left as late as its write was answered.
  @Test mutating func aBallBehindASlowStopWaitsFromItsWritesEnd() {
    driver.feed(.stopRequested(CommandID(number: 1)))
    driver.advance(by: .seconds(1.9))
    driver.answer()
    say(Self.completed)
    #expect(outcome(1) == .delivered)
    driver.advance(by: .seconds(1.4))
    submit(2)
    #expect(outcome(2) == .notSent(.tooSoon))
    driver.advance(by: .milliseconds(601))
    submit(3)
    driver.answer()
    say(Self.completed)
    #expect(outcome(3) == .delivered && answers == [3: .completed])
  }

  /// Its sender may ask only then.
  @Test(arguments: [true, false])
  mutating func aBallsAnswerIsThereAfterAStopOrADrop(isStopped: Bool) throws {
    submit(1)
    driver.answer()
    say(Self.accepted)
    if isStopped {
      driver.feed(.stopRequested(CommandID(number: 2)))
    } else {
      driver.change { $0.peers[0].isConnected = false }
    }
    let found = try #require(driver.machine.lanes.answers.answer(to: CommandID(number: 1)))
    #expect(found.answer == .accepted && found.isSettled)
    #expect(answers == [1: .accepted])
  }

  /// Machines repeat answers, the last one too.
  @Test mutating func aBallsLastAnswerThatComesTwiceConfirmsNoStop() {
    submit(1)
    driver.answer()
    say(Self.completed)
    let end = driver.now.advanced(by: .seconds(2))
    driver.feed(.stopRequested(CommandID(number: 2)))
    driver.answer()
    say(Self.completed)
    #expect(outcome(2) == nil && answers == [1: .completed])
    answerStops(until: end)
    say(Self.accepted)
    #expect(outcome(2) == .delivered)
  }

  @Test(arguments: [0, 300, 1_900])
  mutating func anEndSoonAfterABallWaitsForTheMachinesWordOnItsStop(milliseconds: Int) {
    submit(1)
    driver.answer()
    say(Self.completed)
    driver.advance(by: .milliseconds(milliseconds))
    endAfterStop(2, isAnswered: true)
    #expect(outcome(2) == .delivered)
  }

  /// The rest of the end has its time too.
  @Test mutating func anEndWaitsThreeSecondsForAMachineThatSaysNothing() {
    let start = driver.now
    submit(1)
    driver.answer()
    endAfterStop(2, isAnswered: false)
    #expect(outcome(2) == .unknown(.ended))
    #expect(start.duration(to: driver.now) <= .seconds(3))
    #expect(driver.open == [.disconnect(driver.bluez.peers[0].path)])
  }

  /// A stop command as the link's last write, until its outcome is known. Each write takes 100 ms.
  private mutating func endAfterStop(_ number: UInt64, isAnswered: Bool) {
    driver.feed(.stopRequested(CommandID(number: number)))
    driver.feed(.endRequested)
    while outcome(number) == nil, !driver.hasEnded {
      driver.advance(by: .milliseconds(100))
      guard isStopOpen else { continue }
      driver.answer()
      if isAnswered { say(Self.completed) }
    }
  }

  /// The program stood still: a ball's answer has waited in its socket, which it reads only now.
  @Test mutating func anAnswerBeforeTheStopsWriteIsAnsweredConfirmsNothing() {
    driver.feed(.stopRequested(CommandID(number: 1)))
    say(Self.completed)
    #expect(outcome(1) == nil)
    driver.answer()
    driver.advance(by: .milliseconds(250))
    #expect(isStopOpen, "it is repeated")
    // This one is on a write of it, if not on the last one.
    say(Self.completed)
    #expect(outcome(1) == .delivered)
    driver.feed(.stopRequested(CommandID(number: 2)))
    driver.answer()
    #expect(isStopOpen, "the second one is written at once")
    say(Self.completed)
    #expect(outcome(2) == nil)
    driver.answer()
    say(Self.completed)
    #expect(outcome(2) == .delivered)
  }

  /// A stop behind a ball, and then the program stood still: what was said to the ball is read late.
  @Test mutating func whatWasSaidToABallIsReadAfterItsTime() {
    submit(1)
    driver.answer()
    driver.feed(.stopRequested(CommandID(number: 2)))
    driver.answer()
    driver.now = driver.now.advanced(by: .seconds(3))
    say(Self.completed)
    #expect(outcome(2) == nil)
    driver.advance(by: .zero)
    #expect(isStopOpen, "it is repeated")
    let unread = driver.nextReceipt()
    driver.answer()
    driver.feed(.notified(Self.completed, receipt: unread))
    #expect(outcome(2) == nil)
    say(Self.completed)
    #expect(outcome(2) == .delivered)
  }

  /// Those that were written before can't be told from a ball: the first one after that has its own time.
  @Test mutating func aStopWhoseWritesAreSlowHasItsTimeToBeAnswered() {
    submit(1)
    driver.answer()
    driver.feed(.stopRequested(CommandID(number: 2)))
    driver.advance(by: .milliseconds(1_900))
    driver.answer()
    driver.advance(by: .milliseconds(250))
    #expect(isStopOpen)
    driver.advance(by: .milliseconds(1_900))
    driver.answer()
    driver.advance(by: .milliseconds(300))
    #expect(outcome(2) == nil)
    say(Self.accepted)
    #expect(outcome(2) == .delivered)
  }

  /// The machine says what it likes: no write comes of it, no command but the one in flight is
  /// answered, and nothing grows.
  @Test func aMillionRandomAnswersCostNothing() {
    for check in CheckByte.allCases {
      var generator = SeededGenerator(seed: 14)
      var driver = Driver(configuration: LinkConfiguration(encoding: .framed(check)))
      driver.bluez = Self.bluez(flags: ["write", "notify"])
      driver.becomeReady()
      var machine = driver.machine
      var now = driver.now
      var number: UInt64 = 0
      var (writes, answers, timers) = (0, 0, 0)
      for step in 0..<500_000 {
        now = now.advanced(by: .milliseconds(1))
        let length = Int(generator.next() % 8)
        var bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        if length == 5 {
          bytes[0...2] = [0x5A, 0xA5, 0x82]
          bytes[3] %= 4
          if generator.next() % 4 > 0 { bytes[4] = check.of(bytes[..<4]) }
        }
        var events: [LinkEvent] = [.notified(bytes, receipt: UInt64(step))]
        if step % 4_000 == 0 {
          number += 1
          events.append(.submitted(CommandID(number: number), Self.ball, decidedAt: now))
        }
        while !events.isEmpty {
          for action in machine.handle(events.removeFirst(), at: now) {
            switch action {
            case .begin(let id, .write):
              writes += 1
              events.append(.finished(id, nil, receipt: UInt64(step)))
            case .answered: answers += 1
            case .setTimer: timers += 1
            default: break
            }
          }
        }
      }
      #expect(number == 125 && writes == 125 && answers == 125)
      // A ball's own, and no more.
      #expect(timers <= 3 * 125)
    }
  }
}
