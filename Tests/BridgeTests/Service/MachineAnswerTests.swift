import Bridge
import Clocks
import ControlProtocol
import CourtLogic
import MachineLink
import Safety
import TestSupport
import Testing

/// A framed machine's answers, as the service reports and uses them.
@Suite(.serialized, .mustEnd) struct MachineAnswerTests {
  private static let completed: [UInt8] = [0x5A, 0xA5, 0x82, 2, 0xE3]
  private static let refused: [UInt8] = [0x5A, 0xA5, 0x82, 0, 0x62]

  /// A live service with a framed machine that says nothing by itself.
  private func live() async throws -> ServiceFixture {
    let central = FakeCentral(flags: ["write", "notify"])
    let fixture = try ServiceFixture(central: central, encoding: .framed(.modbus))
    await fixture.wait(for: .ready)
    // What a program before this one wrote is answered by then.
    fixture.clock.advance(by: .seconds(2))
    #expect(await fixture.service.perform(.arm(countdown: .zero)).refusal == nil)
    return fixture
  }

  private func nextAnswer(_ events: BridgeEvents) async -> AnswerRecord? {
    for await case .record(.answer(let answer), _) in events { return answer }
    return nil
  }

  @Test func anAnswerFollowsTheOutcome() async throws {
    let fixture = try await live()
    let events = await fixture.service.subscribe()
    try await fixture.stand()
    let dispatch = await fixture.dispatch(events)
    #expect(dispatch?.outcome == OutcomeRecord(.delivered) && dispatch?.answer == nil)
    await fixture.central.say(Self.completed)
    let answer = await nextAnswer(events)
    #expect(answer?.number == dispatch?.number && answer?.answer == "completed")
    #expect(answer?.to == "dispatch")
    let snapshot = await fixture.service.snapshot
    #expect(snapshot.lastDispatch?.answer == "completed")
    #expect(snapshot.lastDispatch?.outcome == OutcomeRecord(.delivered))
    #expect(snapshot.summary.counts.answers?.completed == 1)
    _ = try await fixture.end()
  }

  @Test func aCommandByHandIsAnsweredWithTheMachinesWord() async throws {
    let fixture = try await live()
    let events = await fixture.service.subscribe()
    let command = try MachineCommand(text: "40,40,20,45,50")
    async let reply = fixture.service.sendManually(command)
    _ = try await fixture.written(atLeast: 1)
    while await fixture.service.snapshot.lastManual == nil { try await Task.yieldUnlessCancelled() }
    await fixture.central.say(Self.completed)
    guard case .sent(let manual, _) = await reply else {
      Issue.record("it was not sent")
      return
    }
    #expect(manual.outcome == OutcomeRecord(.delivered) && manual.answer == "completed")
    #expect(await nextAnswer(events)?.to == "manual")
    _ = try await fixture.end()
  }

  @Test func digitsAreRefused() async throws {
    let fixture = try await live()
    let command = try MachineCommand(digits: "110001060014004500")
    #expect(
      await fixture.service.sendManually(command)
        == .refused(.outsideLimits(.encoding(command, .framed)))
    )
    #expect(await fixture.central.written == [])
    _ = try await fixture.end()
  }

  @Test func aStopIsConfirmedByTheMachinesAnswerAlone() async throws {
    let fixture = try await live()
    async let stop = fixture.service.perform(.stop)
    _ = try await fixture.written(atLeast: 1)
    #expect(await fixture.service.snapshot.safety.state == .stopped(nil))
    await fixture.central.say(Self.completed)
    #expect(await stop.stop == .confirmed)
    #expect(await fixture.service.perform(.reset).refusal == nil)
    // What came before the stop's write was answered, in a program that stood still, confirms nothing.
    await fixture.central.setHangsWrites(true)
    async let late = fixture.service.perform(.stop)
    _ = try await fixture.written(atLeast: 2)
    await fixture.central.sayAndAnswer(Self.completed)
    try await fixture.letTimePass {
      if case .stopped(nil) = await fixture.service.snapshot.safety.state { true } else { false }
    }
    #expect(await late.stop == .unconfirmed)
    #expect(await fixture.service.perform(.reset).refusal == nil)
    await fixture.central.forgetWrites()
    // And without one, it isn't.
    async let second = fixture.service.perform(.stop)
    _ = try await fixture.written(atLeast: 1)
    try await fixture.letTimePass {
      if case .stopped(nil) = await fixture.service.snapshot.safety.state { true } else { false }
    }
    #expect(await second.stop == .unconfirmed)
    _ = try await fixture.end()
  }
}
