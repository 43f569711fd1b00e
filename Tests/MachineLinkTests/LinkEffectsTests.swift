import BlueZ
import Clocks
import CourtLogic
import DBus
import MachineLink
import Testing

@Suite struct LinkEffectsTests {
  private static let device: ObjectPath = "/org/bluez/hci0/dev_1"
  private var effects = LinkEffects(at: .start)

  @Test mutating func timeNeverGoesBack() {
    effects.advance(to: .start.advanced(by: .seconds(2)))
    effects.advance(to: .start.advanced(by: .seconds(1)))
    #expect(effects.now == .start.advanced(by: .seconds(2)))
  }

  @Test mutating func aTimerThatWasSetAnewOrCancelledDoesNotFire() throws {
    effects.setTimer(.scan, after: .seconds(1))
    let first = try #require(timers(in: effects.takeActions()).first)
    effects.setTimer(.scan, after: .seconds(2))
    let actions = effects.takeActions()
    let second = try #require(timers(in: actions).first)
    #expect(
      actions == [
        .cancelTimer(first), .setTimer(second, at: .start.advanced(by: .seconds(2))),
      ]
    )
    let fired = [first, second, second].map { effects.takeFired($0) }
    #expect(fired == [false, true, false] && !effects.isSet(.scan))
    effects.cancelTimer(.scan)
    let none = effects.takeActions()
    #expect(none == [])
  }

  private func timers(in actions: [LinkAction]) -> [LinkTimer] {
    actions.compactMap { if case .setTimer(let timer, _) = $0 { timer } else { nil } }
  }

  @Test mutating func allTimersButSomeAreCancelled() {
    for purpose in LinkTimer.Purpose.allCases { effects.setTimer(purpose, after: .seconds(1)) }
    effects.cancelTimers(except: [.end, .operation])
    #expect(Set(LinkTimer.Purpose.allCases.filter(effects.isSet)) == [.end, .operation])
  }

  @Test mutating func oneOperationIsPending() throws {
    effects.begin(.trust(Self.device), deadline: .seconds(10))
    let trust = try #require(effects.pending)
    effects.begin(.connect(Self.device), deadline: .seconds(45))
    let connect = try #require(effects.pending)
    let actions = effects.takeActions()
    #expect(actions.contains(.abandon(trust.id)))
    let answered = [trust.id, connect.id].map { effects.takeAnswer(to: $0) }
    #expect(answered == [nil, .connect(Self.device)])
    #expect(effects.pending == nil && !effects.isSet(.operation))
    let abandoned = effects.abandonPending()
    #expect(abandoned == nil)
  }

  @Test mutating func aWriteIsNoPendingOperation() {
    let id = effects.beginWrite(
      .stop,
      as: .digits,
      to: Self.device,
      mode: .request,
      deadline: .seconds(5)
    )
    #expect(effects.pending == nil && effects.isSet(.write))
    let actions = effects.takeActions()
    #expect(actions.first == .begin(id, .write(.stop, as: .digits, to: Self.device, .request)))
  }
}
