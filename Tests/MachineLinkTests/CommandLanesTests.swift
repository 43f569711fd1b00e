import Clocks
import CourtLogic
import DBus
import TestSupport
import Testing

@testable import BlueZ
@testable import MachineLink

/// The lanes alone: what they write, and when.
@Suite final class CommandLanesTests {
  private enum Done: Hashable {
    case wrote(MachineCommand, WriteMode)
    case resolved(UInt64, WriteOutcome)
    case gaveUp
  }

  private var lanes = CommandLanes(
    encoding: .digits,
    stopCommand: .stop,
    timing: LinkTiming(),
    at: .start
  )
  private var effects = LinkEffects(at: .start)
  /// The last write that was begun.
  private var write: OperationID?

  /// What was done since the last time; timers are looked at with ``LinkEffects/instant(of:)``.
  private func done() -> [Done] {
    effects.takeActions().compactMap { action in
      switch action {
      case .begin(let id, .write(let command, _, _, let mode)):
        write = id
        return .wrote(command, mode)
      case .resolve(let id, let outcome): return .resolved(id.number, outcome)
      case .abandon: return .gaveUp
      default: return nil
      }
    }
  }

  private func open(flags: Characteristic.Flags = [.write]) throws {
    try lanes.open(to: Self.characteristic(flags), &effects)
  }

  private static func characteristic(
    _ flags: Characteristic.Flags
  ) throws -> CommandCharacteristic {
    let service = BluetoothUUID("12345678-1234-1234-1234-123456789abc")!
    let write = BluetoothUUID("abcd1234-1234-1234-1234-abcdef123456")!
    let characteristic = Characteristic(
      path: "/d/service0001/char0001",
      service: "/d/service0001",
      uuid: write,
      flags: flags
    )
    return try CommandCharacteristic(
      from: [LocatedCharacteristic(service: service, characteristic: characteristic)],
      profiles: MachineProfile.known,
      trust: .identity
    )
  }

  private static func ball(_ number: UInt64) -> MachineCommand {
    try! MachineCommand(digits: "10000" + "20000" + "0100" + "000\(number)")
  }

  private func submit(_ number: UInt64) {
    lanes.submit(
      CommandLanes.Slot(
        id: CommandID(number: number),
        command: Self.ball(number),
        decidedAt: effects.now
      ),
      &effects
    )
  }

  private func stop(_ number: UInt64) {
    lanes.requestStop(CommandID(number: number), &effects)
  }

  /// Answers the last write.
  private func answer(_ error: BlueZError? = nil) -> Bool {
    guard let write, lanes.writeFinished(write, error, receipt: 0, &effects) else { return false }
    lanes.pump(&effects)
    return true
  }

  private func answerOvertaken(_ id: OperationID) -> Bool {
    guard lanes.overtakenFinished(id, &effects) else { return false }
    lanes.pump(&effects)
    return true
  }

  /// Fires what is due after so long.
  private func pass(_ duration: Duration) {
    effects.advance(to: effects.now.advanced(by: duration))
    for purpose in [LinkTimer.Purpose.slot, .stop] {
      if let instant = effects.instant(of: purpose), instant <= effects.now {
        effects.cancelTimer(purpose)
        lanes.pump(&effects)
      }
    }
  }

  private static let failure = BlueZError(kind: .other, name: "org.bluez.Error.Failed", message: "")

  // MARK: Ball commands

  @Test func withoutALinkABallIsRefused() throws {
    submit(1)
    #expect(done() == [.resolved(1, .notSent(.linkNotReady))])
    try open()
    #expect(done() == [] && lanes.isDone)
  }

  @Test func aBallIsWrittenAtOnceAndItsAnswerIsItsOutcome() throws {
    try open()
    submit(1)
    #expect(done() == [.wrote(Self.ball(1), .request)])
    #expect(!lanes.isDone)
    #expect(answer())
    #expect(done() == [.resolved(1, .delivered)])
    #expect(lanes.isDone)
    // It has ended: the same answer again is nothing.
    #expect(!answer())
  }

  @Test func refusalsInARowCountAcrossLinksUntilOneCommandIsTaken() throws {
    for number in 1...2 {
      try open()
      submit(UInt64(number))
      lanes.close(.linkLost, &effects)
      #expect(lanes.refusals?.count == number)
      pass(.seconds(3))
    }
    try open()
    submit(3)
    _ = done()
    #expect(answer(Self.failure))
    #expect(lanes.refusals?.count == 3)
    // A stop that is refused is repeated: it doesn't count.
    stop(4)
    _ = done()
    #expect(answer(Self.failure))
    #expect(lanes.refusals?.count == 3)
    pass(.milliseconds(250))
    _ = done()
    #expect(answer())
    #expect(lanes.refusals == nil)
  }

  @Test func withoutResponseABallIsQueued() throws {
    try open(flags: [.writeWithoutResponse])
    submit(1)
    _ = done()
    #expect(answer())
    #expect(done() == [.resolved(1, .queued)])
  }

  @Test func theNextBallKeepsItsDistance() throws {
    try open()
    submit(1)
    _ = done()
    #expect(answer())
    pass(.milliseconds(2600))
    _ = done()
    submit(2)
    #expect(done() == [])
    #expect(effects.instant(of: .slot) == .start.advanced(by: .milliseconds(2950)))
    pass(.milliseconds(350))
    #expect(done() == [.wrote(Self.ball(2), .request)])
  }

  @Test func aLateAnswerHoldsTheNextBallBack() throws {
    try open()
    submit(1)
    pass(.seconds(2))
    _ = done()
    #expect(answer())
    _ = done()
    pass(.milliseconds(2500))
    submit(2)
    #expect(done() == [])
    #expect(effects.instant(of: .slot) == .start.advanced(by: .milliseconds(4700)))
  }

  @Test func aBallThatCanOnlyLeaveTooLateIsRefused() throws {
    try open()
    submit(1)
    _ = done()
    #expect(answer())
    _ = done()
    pass(.seconds(1))
    submit(2)
    #expect(done() == [.resolved(2, .notSent(.tooSoon))])
  }

  @Test func theNewestBallTakesTheSlotAndExpiresThere() throws {
    try open()
    submit(1)
    pass(.milliseconds(2950))
    submit(2)
    submit(3)
    #expect(done() == [.wrote(Self.ball(1), .request), .resolved(2, .notSent(.superseded))])
    pass(.milliseconds(501))
    #expect(done() == [.resolved(3, .notSent(.expired))])
  }

  @Test func withoutAnAnswerTheOutcomeIsUnknown() throws {
    try open()
    submit(1)
    _ = done()
    lanes.deadlinePassed(&effects)
    #expect(done() == [.resolved(1, .unknown(.timedOut)), .gaveUp])
  }

  @Test func theEndOfTheLinkEndsEveryBall() throws {
    try open()
    submit(1)
    pass(.milliseconds(2950))
    submit(2)
    _ = done()
    lanes.close(.linkLost, &effects)
    #expect(
      done() == [
        .resolved(2, .notSent(.linkLost)), .resolved(1, .unknown(.linkLost)), .gaveUp,
      ]
    )
    for purpose in [LinkTimer.Purpose.slot, .write, .overtaken, .stop] {
      #expect(!effects.isSet(purpose))
    }
    try open()
    #expect(done() == [])
  }

  // MARK: Stop commands

  @Test func aStopCommandIsAcknowledged() throws {
    try open()
    stop(1)
    stop(2)
    #expect(done() == [.wrote(.stop, .request)])
    #expect(answer())
    #expect(done() == [.resolved(1, .delivered), .resolved(2, .delivered)])
    #expect(lanes.isDone)
  }

  /// A stop that can't get through ends with what was seen, not with the end of the link.
  @Test(arguments: [
    (
      BlueZError("org.bluez.Error.NotPermitted", "Not paired"),
      WriteOutcome.Reason.rejected(code: 0x05)
    ),
    (.failed("Operation failed with ATT error: 0x0f"), .rejected(code: 0x0f)),
    (BlueZError("org.bluez.Error.InProgress", "In Progress"), .busy),
    (.failed("Not connected"), .noConnection("org.bluez.Error.Failed: Not connected")),
  ])
  func aStopCommandThatIsRefusedSaysSo(error: BlueZError, reason: WriteOutcome.Reason) throws {
    try open()
    stop(1)
    #expect(lanes.stopFailure == nil)
    _ = done()
    #expect(answer(error))
    #expect(lanes.stopFailure == .notSent(reason))
    lanes.close(.ended, &effects)
    lanes.endStop(&effects)
    #expect(done() == [.resolved(1, .notSent(reason))])
  }

  /// One write of it may have arrived: then it isn't known, and yet the reason is.
  @Test func aStopCommandThatIsRefusedAfterAWriteMayHaveArrived() throws {
    try open(flags: [.write, .writeWithoutResponse])
    stop(1)
    #expect(done() == [.wrote(.stop, .command)])
    #expect(answer())
    #expect(done() == [.wrote(.stop, .request)])
    #expect(answer(.failed("Operation failed with ATT error: 0x80")))
    #expect(lanes.stopFailure == .unknown(.notRepeated(.rejected(code: 0x80))))
    lanes.endStop(&effects)
    #expect(done() == [.resolved(1, .unknown(.notRepeated(.rejected(code: 0x80))))])
  }

  /// On the next link it is another matter.
  @Test func aStopCommandsFailureEndsWithItsLink() throws {
    try open()
    stop(1)
    _ = done()
    #expect(answer(.failed("Operation failed with ATT error: 0x80")))
    lanes.close(.linkLost, &effects)
    #expect(lanes.stopFailure == nil)
    try open()
    #expect(lanes.stopFailure == nil)
    _ = done()
    lanes.endStop(&effects)
    #expect(done() == [.resolved(1, .notSent(.ended))])
  }

  @Test func aStopCommandOvertakesABall() throws {
    try open(flags: [.write, .writeWithoutResponse])
    submit(1)
    _ = done()
    let ball = try #require(write)
    stop(2)
    #expect(done() == [.resolved(1, .unknown(.abandonedForStop)), .wrote(.stop, .command)])
    #expect(answer())
    // It can be acknowledged once the ball's write is out of the way.
    #expect(done() == [])
    #expect(answerOvertaken(ball))
    #expect(done() == [.wrote(.stop, .request)])
    #expect(answer())
    #expect(done() == [.resolved(2, .delivered)])
    #expect(lanes.isDone)
  }

  @Test func aStopCommandThatCanNotOvertakeWaitsForTheAnswer() throws {
    try open()
    submit(1)
    _ = done()
    let ball = try #require(write)
    stop(2)
    #expect(done() == [.resolved(1, .unknown(.abandonedForStop))])
    #expect(effects.isSet(.overtaken) && !effects.isSet(.write))
    #expect(answerOvertaken(ball))
    #expect(done() == [.wrote(.stop, .request)])
  }

  @Test func noBallLeavesBeforeTheStopCommand() throws {
    try open()
    stop(1)
    submit(2)
    #expect(done() == [.wrote(.stop, .request), .resolved(2, .notSent(.stopPending))])
  }

  @Test func aFailedStopCommandIsRepeated() throws {
    try open()
    stop(1)
    _ = done()
    #expect(answer(Self.failure))
    #expect(done() == [])
    pass(.milliseconds(249))
    #expect(done() == [])
    pass(.milliseconds(1))
    #expect(done() == [.wrote(.stop, .request)])
  }

  @Test func anUnacknowledgeableStopCommandIsSentThreeTimes() throws {
    try open(flags: [.writeWithoutResponse])
    stop(1)
    for _ in 0..<2 {
      #expect(done() == [.wrote(.stop, .command)])
      #expect(answer())
      pass(.milliseconds(250))
    }
    #expect(done() == [.wrote(.stop, .command)])
    #expect(answer())
    #expect(done() == [.resolved(1, .queued)])
  }

  @Test func aStopCommandIsTheFirstWriteOnTheNextLink() throws {
    stop(1)
    #expect(done() == [] && !lanes.isDone)
    try open()
    #expect(done() == [.wrote(.stop, .request)])
    lanes.close(.linkLost, &effects)
    #expect(done() == [.gaveUp])
    try open()
    #expect(done() == [.wrote(.stop, .request)])
  }

  @Test func aStopCommandThatMayHaveArrivedEndsUnknown() throws {
    stop(1)
    lanes.endStop(&effects)
    #expect(done() == [.resolved(1, .notSent(.ended))])
    try open()
    stop(2)
    _ = done()
    lanes.close(.ended, &effects)
    lanes.endStop(&effects)
    #expect(done() == [.gaveUp, .resolved(2, .unknown(.ended))])
  }

  @Test func anOvertakenBallCountsFromItsAnswer() throws {
    try open()
    submit(1)
    _ = done()
    let ball = try #require(write)
    stop(2)
    pass(.seconds(4))
    #expect(answerOvertaken(ball))
    _ = done()
    #expect(answer())
    _ = done()
    pass(.milliseconds(2600))
    submit(3)
    #expect(done() == [])
    #expect(effects.instant(of: .slot) == .start.advanced(by: .milliseconds(6700)))
  }
}
