import BlueZ
import Clocks
import CourtLogic
import DBus
import Host
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// The stop command has its own lane, and is the only one that is repeated.
  @Suite struct Stops {
    private static let name = LinkFixture.machine.string

    @Test(
      arguments: [MockProfile.ballMachine, .requestOnly, .commandOnly],
      [true, false]
    )
    func aStopGoesOutAtOnce(profile: MockProfile, afterABall: Bool) async throws {
      let machine = MockPeripheral(profile: profile)
      try await withLinkFixture(MockModel(peripherals: [machine])) { fixture in
        try await fixture.reaches(.ready)
        if afterABall { _ = try await fixture.send(1) }
        let start = fixture.now
        let expected: (WriteOutcome, [MockWrite.Form]) =
          switch profile {
          case .requestOnly: (.delivered, [.request])
          case .commandOnly: (.queued, [.command, .command, .command])
          default: (.delivered, [.command, .request])
          }
        #expect(try await fixture.sendStop() == expected.0)
        let limit: Duration = profile == .commandOnly ? .seconds(1) : .milliseconds(500)
        #expect(start.duration(to: fixture.now) < limit)
        // The last unacknowledged one is still on its way.
        try await fixture.pass(.seconds(10))
        let balls = afterABall ? [LinkFixture.ball(1).text] : []
        #expect(
          await fixture.received()
            == balls + Array(repeating: LinkFixture.stop, count: expected.1.count)
        )
        #expect(await fixture.forms().suffix(expected.1.count) == expected.1[...])
        if profile == .commandOnly {
          let times = await fixture.events.entries.compactMap { event in
            if case .write(let write, _) = event.kind, write.text == LinkFixture.stop {
              event.time
            } else {
              Double?.none
            }
          }
          for (former, later) in zip(times, times.dropFirst()) { #expect(later - former > 0.249) }
        }
      }
    }

    @Test(arguments: [true, false])
    func aStopOvertakesAWriteThatHangs(isLost: Bool) async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.fault(machine: Self.name, .hangWrites(lost: isLost), .once))
        async let ball = fixture.send(1)
        try await fixture.called("WriteValue")
        async let stop = fixture.sendStop()
        #expect(try await ball == .unknown(.abandonedForStop))
        #expect(try await stop == .delivered)
        try await fixture.linger(.seconds(20))
        let received = await fixture.received()
        let balls = isLost ? [] : [LinkFixture.ball(1).text]
        #expect(Array(received.prefix(balls.count)) == balls)
        #expect(Set(received.dropFirst(balls.count)) == [LinkFixture.stop])
      }
    }

    @Test(.core) func aStopDuringALossIsTheFirstWriteOfTheNextLink() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        try await fixture.perform(.vanish(machine: Self.name))
        try await fixture.reaches(.connecting)
        async let stop = fixture.sendStop()
        async let another = fixture.sendStop()
        try await fixture.linger(.seconds(60))
        #expect(try await fixture.send(2) == .notSent(.linkNotReady))
        try await fixture.perform(.appear(machine: Self.name))
        try await fixture.reaches(.ready)
        // Not while the stop command is on its way, and not soon after the link is back.
        let ball = try await fixture.send(3)
        #expect(try await stop == .delivered)
        #expect(try await another == .delivered)
        let received = await fixture.received()
        #expect(received[0] == LinkFixture.ball(1).text)
        #expect(received[1] == LinkFixture.stop)
        if ball == .notSent(.stopPending) {
          #expect(Set(received.dropFirst()) == [LinkFixture.stop])
        }
        try await fixture.pass(.seconds(3))
        #expect(try await fixture.send(4) == .delivered)
        #expect(await !fixture.received().contains(LinkFixture.ball(2).text))
      }
    }

    @Test func aStopSurvivesTheDeathOfBluetoothd() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.restart(downFor: .seconds(30)))
        try await fixture.reaches(.waitingForBlueZ)
        #expect(try await fixture.sendStop() == .delivered)
        #expect(await Set(fixture.received()) == [LinkFixture.stop])
      }
    }

    @Test(arguments: Writes.refusals)
    func aStopThatFailsIsSentAgain(refusal: Writes.Refusal) async throws {
      if refusal.error.attributeCode == nil { try mockOnly(scriptedBlueZ) }
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.fault(machine: Self.name, .failWrites(refusal.error), .times(3)))
        #expect(try await fixture.sendStop() == .delivered)
        #expect(await Set(fixture.received()) == [LinkFixture.stop])
        #expect(await fixture.forms().last == .request)
        try await fixture.pass(.seconds(3))
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test func aStopThatHangsIsSentAgain() async throws {
      let machine = MockPeripheral(profile: .requestOnly)
      try await withLinkFixture(MockModel(peripherals: [machine])) { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.fault(machine: Self.name, .hangWrites(lost: true), .times(2)))
        #expect(try await fixture.sendStop() == .delivered)
        #expect(await fixture.received() == [LinkFixture.stop])
      }
    }

    @Test func aWaitingBallGivesWayToAStop() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        var stop: WriteOutcome?
        let ball = try await fixture.sendTwo { stop = try await fixture.sendStop() }
        #expect(stop == .delivered)
        #expect(ball == .notSent(.stopPending))
        try await fixture.pass(.seconds(10))
        #expect(await !fixture.received().contains(LinkFixture.ball(2).text))
      }
    }

    @Test func aStopThatNeverFoundItsMachineIsReportedAtTheEnd() async throws {
      let model = MockModel(peripherals: [MockPeripheral(isAdvertising: false)])
      try await withLinkFixture(model) { fixture in
        try await fixture.reaches(.discovering)
        async let stop = fixture.sendStop()
        try await fixture.linger(.seconds(30))
        try await fixture.end()
        #expect(try await stop == .notSent(.ended))
      }
    }

    @Test(arguments: [MockProfile.ballMachine, .requestOnly, .commandOnly])
    func theLastStopIsSentOnTheWayOut(profile: MockProfile) async throws {
      let machine = MockPeripheral(profile: profile)
      try await withLinkFixture(MockModel(peripherals: [machine])) { fixture in
        try await fixture.reaches(.ready)
        _ = try await fixture.send(1)
        try await fixture.pass(.milliseconds(100))
        let outcome = try await limited("the last stop") { [link = fixture.link] in
          await link.sendLastStop()
        }
        #expect(outcome == (profile == .commandOnly ? .queued : .delivered))
        try await fixture.end()
        let received = await fixture.received()
        #expect(received.first == LinkFixture.ball(1).text)
        #expect(Set(received.dropFirst()) == [LinkFixture.stop])
      }
    }

    @Test func theLastStopIsSentThoughAWriteHangs() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.fault(machine: Self.name, .hangWrites(lost: true), .once))
        async let ball = fixture.send(1)
        try await fixture.called("WriteValue")
        let start = fixture.now
        let outcome = try await limited("the last stop") { [link = fixture.link] in
          await link.sendLastStop()
        }
        // BlueZ takes nothing more for this characteristic; honesty is all that is left.
        if case .delivered = outcome { Issue.record("nothing was acknowledged") }
        #expect(try await ball == .unknown(.abandonedForStop))
        try await fixture.end()
        #expect(start.duration(to: fixture.now) <= .seconds(6))
      }
    }
  }
}
