import BlueZ
import Clocks
import CourtLogic
import DBus
import Host
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// A machine that takes frames, and answers them.
  @Suite struct Framed {
    private static let name = LinkFixture.machine.string

    /// A link to a framed machine.
    private func withFixture(
      profile: MockProfile = .ballMachine,
      _ check: MockCheckByte = .modbus,
      linkCheck: CheckByte = .modbus,
      before: (any Setup) async throws -> Void = { _ in },
      _ body: (LinkFixture) async throws -> Void
    ) async throws {
      let machine = MockPeripheral(profile: profile, encoding: .framed, checkByte: check)
      try await withLinkFixture(
        MockModel(peripherals: [machine]),
        LinkConfiguration(encoding: .framed(linkCheck)),
        before: before,
        body
      )
    }

    @Test(.core, arguments: [MockProfile.ballMachine, .requestOnly], MockCheckByte.allCases)
    func aBallIsCompletedAndAStopConfirmed(profile: MockProfile, check: MockCheckByte) async throws
    {
      if profile != .ballMachine || check != .modbus { try longOnRealStack() }
      try await withFixture(profile: profile, check, linkCheck: check == .xor ? .xor : .modbus) {
        fixture in
        let ready = try await fixture.reaches(.ready)
        #expect(ready.answers == .heard)
        let (outcome, answer) = try await fixture.launch(1)
        #expect(outcome == .delivered && answer == .completed)
        try await fixture.pass(.seconds(2))
        #expect(try await fixture.sendStop() == .delivered)
        let received = await fixture.received()
        #expect(received.first == fixture.ball(1).text)
        #expect(!received.dropFirst().isEmpty)
        #expect(received.dropFirst().allSatisfy { $0 == fixture.stop })
        #expect(await fixture.link.status.oddAnswers == AnswerOddities())
      }
    }

    /// The fault, the answer that comes of it, and which counts it leaves.
    @Test(
      arguments: [
        (.missing, .none, []), (.refused, .refused, []), (.incomplete, .accepted, []),
        (.wrongCheck, .none, ["wrongCheckByte"]), (.cut, .none, ["malformed"]),
        (.otherCheck, .completed, ["otherCheckByte"]), (.doubled, .completed, ["doubled"]),
      ] as [(MockAnswers, MachineAnswer, [String])]
    )
    func anOddAnswerCountsForNoCommand(
      fault: MockAnswers,
      expected: MachineAnswer,
      counts: [String]
    ) async throws {
      if fault != .missing { try longOnRealStack() }
      try await withFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.fault(machine: Self.name, .answers(fault), .once))
        let (outcome, answer) = try await fixture.launch(1)
        #expect(outcome == .delivered && answer == expected)
        try await fixture.pass(.seconds(3))
        // The next one is as if nothing had been.
        let next = try await fixture.launch(2)
        #expect(next.outcome == .delivered && next.answer == .completed)
        try await fixture.pass(.seconds(11))
        #expect(try await fixture.sendStop() == .delivered)
        try await fixture.end()
        let odd = await fixture.link.status.oddAnswers
        #expect(odd.present == counts, "\(odd)")
        let received = await fixture.received().filter { $0 != fixture.stop }
        #expect(received == [fixture.ball(1).text, fixture.ball(2).text], "nothing is resent")
      }
    }

    @Test func anAnswerThatIsLateIsNoAnswer() async throws {
      try longOnRealStack()
      try await withFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(
          .fault(machine: Self.name, .lateAnswers(.milliseconds(2500)), .once)
        )
        let (outcome, answer) = try await fixture.launch(1)
        #expect(outcome == .delivered && answer == MachineAnswer.none)
        try await fixture.pass(.seconds(3))
        #expect(await fixture.link.status.refusals?.count == 1)
        let next = try await fixture.launch(2)
        #expect(next.answer == .completed)
        #expect(await fixture.link.status.refusals == nil)
      }
    }

    @Test func aSilentMachinesStopIsUnconfirmed() async throws {
      try await withFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.fault(machine: Self.name, .answers(.missing), .always))
        let start = fixture.now
        #expect(try await fixture.sendStop() == .unknown(.unconfirmed(.none)))
        let time = start.duration(to: fixture.now)
        #expect(time >= .seconds(2))
        if !Setups.isReal { #expect(time < .seconds(3)) }
        let received = await fixture.received()
        #expect(received.count > 3 && Set(received) == [fixture.stop])
      }
    }

    /// Without answers the link works; a stop is written, and never confirmed.
    @Test func withoutNotificationsTheLinkGoesOn() async throws {
      try longOnRealStack()
      try await withFixture(
        before: { setup in
          let error = DBusError(
            name: "org.bluez.Error.Failed",
            message: "Operation failed with ATT error: 0x80"
          )
          try await setup.perform(.fault(machine: Self.name, .failNotify(error), .always))
        }
      ) { fixture in
        let ready = try await fixture.reaches(.ready)
        guard case .unheard = ready.answers else {
          Issue.record("\(String(describing: ready.answers))")
          return
        }
        let (outcome, answer) = try await fixture.launch(1)
        #expect(outcome == .delivered && answer == nil)
        try await fixture.pass(.seconds(3))
        #expect(try await fixture.sendStop() == .queued)
      }
    }

    @Test func afterADropTheMachineIsHeardAgain() async throws {
      try await withFixture { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.launch(1).answer == .completed)
        try await fixture.perform(.drop(machine: Self.name))
        let again = try await fixture.reaches(.ready)
        #expect(again.answers == .heard)
        try await fixture.pass(.seconds(3))
        #expect(try await fixture.launch(2).answer == .completed)
      }
    }

    /// A machine that talks for ever costs no ball, and no state of the link.
    @Test func garbageMovesNothing() async throws {
      try longOnRealStack()
      try await withFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(
          .garbage(machine: Self.name, seed: 14, every: .milliseconds(10), .always)
        )
        let statuses = await fixture.statuses.entries.count
        try await fixture.pass(.seconds(8))
        // The first one, and no more for 10 s.
        #expect(await fixture.statuses.entries.count <= statuses + 1)
        #expect(await fixture.received() == [])
        let (outcome, _) = try await fixture.launch(1)
        #expect(outcome == .delivered)
        try await fixture.perform(.clearFaults(machine: nil))
        try await fixture.pass(.seconds(3))
        #expect(try await fixture.sendStop() == .delivered)
        #expect(await fixture.received().filter { $0 != fixture.stop } == [fixture.ball(1).text])
        #expect(await fixture.link.status.oddAnswers.malformed > 0)
      }
    }
  }
}

extension AnswerOddities {
  /// The names of the counts that are not zero.
  fileprivate var present: [String] {
    Mirror(reflecting: self).children.filter { ($0.value as? Int) != 0 }.compactMap(\.label)
  }
}
