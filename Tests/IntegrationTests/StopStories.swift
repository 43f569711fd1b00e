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
    private static let name = LinkBench.machine.string

    @Test(
      arguments: [MockProfile.ballMachine, .requestOnly, .commandOnly],
      [true, false]
    )
    func aStopGoesOutAtOnce(profile: MockProfile, afterABall: Bool) async throws {
      let machine = MockPeripheral(profile: profile)
      try await withLinkBench(MockWorld(peripherals: [machine])) { bench in
        try await bench.reaches(.ready)
        if afterABall { _ = try await bench.send(1) }
        let start = bench.now
        let expected: (WriteOutcome, [MockWrite.Form]) =
          switch profile {
          case .requestOnly: (.delivered, [.request])
          case .commandOnly: (.queued, [.command, .command, .command])
          default: (.delivered, [.command, .request])
          }
        #expect(try await bench.sendStop() == expected.0)
        let limit: Duration = profile == .commandOnly ? .seconds(1) : .milliseconds(500)
        #expect(start.duration(to: bench.now) < limit)
        // The last unacknowledged one is still on its way.
        try await bench.pass(.seconds(10))
        let balls = afterABall ? [LinkBench.ball(1).digits] : []
        #expect(
          await bench.received()
            == balls + Array(repeating: LinkBench.stop, count: expected.1.count)
        )
        #expect(await bench.forms().suffix(expected.1.count) == expected.1[...])
        if profile == .commandOnly {
          let times = await bench.events.entries.compactMap { event in
            if case .write(let write, _) = event.kind, write.text == LinkBench.stop {
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
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.hangWrites(machine: Self.name, lost: isLost, .once))
        async let ball = bench.send(1)
        try await bench.called("WriteValue")
        async let stop = bench.sendStop()
        #expect(try await ball == .unknown(.abandonedForStop))
        #expect(try await stop == .delivered)
        try await bench.linger(.seconds(20))
        let received = await bench.received()
        let balls = isLost ? [] : [LinkBench.ball(1).digits]
        #expect(Array(received.prefix(balls.count)) == balls)
        #expect(Set(received.dropFirst(balls.count)) == [LinkBench.stop])
      }
    }

    @Test(.core) func aStopDuringALossIsTheFirstWriteOfTheNextLink() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        try await bench.perform(.vanish(machine: Self.name))
        try await bench.reaches(.connecting)
        async let stop = bench.sendStop()
        async let another = bench.sendStop()
        try await bench.linger(.seconds(60))
        #expect(try await bench.send(2) == .notSent(.linkNotReady))
        try await bench.perform(.appear(machine: Self.name))
        try await bench.reaches(.ready)
        // Not while the stop command is on its way, and not soon after the link is back.
        let ball = try await bench.send(3)
        #expect(try await stop == .delivered)
        #expect(try await another == .delivered)
        let received = await bench.received()
        #expect(received[0] == LinkBench.ball(1).digits)
        #expect(received[1] == LinkBench.stop)
        if ball == .notSent(.stopPending) {
          #expect(Set(received.dropFirst()) == [LinkBench.stop])
        }
        try await bench.pass(.seconds(3))
        #expect(try await bench.send(4) == .delivered)
        #expect(await !bench.received().contains(LinkBench.ball(2).digits))
      }
    }

    @Test func aStopSurvivesTheDeathOfBluetoothd() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.restart(downFor: .seconds(30)))
        try await bench.reaches(.waitingForBlueZ)
        #expect(try await bench.sendStop() == .delivered)
        #expect(await Set(bench.received()) == [LinkBench.stop])
      }
    }

    @Test(arguments: Writes.refusals)
    func aStopThatFailsIsSentAgain(refusal: Writes.Refusal) async throws {
      if refusal.error.attributeCode == nil { try mockOnly(scriptedBlueZ) }
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.failWrites(machine: Self.name, refusal.error, .times(3)))
        #expect(try await bench.sendStop() == .delivered)
        #expect(await Set(bench.received()) == [LinkBench.stop])
        #expect(await bench.forms().last == .request)
        try await bench.pass(.seconds(3))
        #expect(try await bench.send(1) == .delivered)
      }
    }

    @Test func aStopThatHangsIsSentAgain() async throws {
      let machine = MockPeripheral(profile: .requestOnly)
      try await withLinkBench(MockWorld(peripherals: [machine])) { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.hangWrites(machine: Self.name, lost: true, .times(2)))
        #expect(try await bench.sendStop() == .delivered)
        #expect(await bench.received() == [LinkBench.stop])
      }
    }

    @Test func aWaitingBallGivesWayToAStop() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        try await bench.pass(.milliseconds(2600))
        async let waiting = bench.send(2)
        try await bench.pass(.milliseconds(50))
        #expect(try await bench.sendStop() == .delivered)
        #expect(try await waiting == .notSent(.stopPending))
        try await bench.pass(.seconds(10))
        #expect(await !bench.received().contains(LinkBench.ball(2).digits))
      }
    }

    @Test func aStopThatNeverFoundItsMachineIsReportedAtTheEnd() async throws {
      let world = MockWorld(peripherals: [MockPeripheral(isAdvertising: false)])
      try await withLinkBench(world) { bench in
        try await bench.reaches(.discovering)
        async let stop = bench.sendStop()
        try await bench.linger(.seconds(30))
        try await bench.end()
        #expect(try await stop == .notSent(.ended))
      }
    }

    @Test(arguments: [MockProfile.ballMachine, .requestOnly, .commandOnly])
    func theLastStopIsSentOnTheWayOut(profile: MockProfile) async throws {
      let machine = MockPeripheral(profile: profile)
      try await withLinkBench(MockWorld(peripherals: [machine])) { bench in
        try await bench.reaches(.ready)
        _ = try await bench.send(1)
        try await bench.pass(.milliseconds(100))
        let outcome = try await limited("the last stop") { [link = bench.link] in
          await link.sendLastStop()
        }
        #expect(outcome == (profile == .commandOnly ? .queued : .delivered))
        try await bench.end()
        let received = await bench.received()
        #expect(received.first == LinkBench.ball(1).digits)
        #expect(Set(received.dropFirst()) == [LinkBench.stop])
      }
    }

    @Test func theLastStopIsSentThoughAWriteHangs() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.hangWrites(machine: Self.name, lost: true, .once))
        async let ball = bench.send(1)
        try await bench.called("WriteValue")
        let start = bench.now
        let outcome = try await limited("the last stop") { [link = bench.link] in
          await link.sendLastStop()
        }
        // BlueZ takes nothing more for this characteristic; honesty is all that is left.
        if case .delivered = outcome { Issue.record("nothing was acknowledged") }
        #expect(try await ball == .unknown(.abandonedForStop))
        try await bench.end()
        #expect(start.duration(to: bench.now) <= .seconds(6))
      }
    }
  }
}
