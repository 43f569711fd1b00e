import BlueZ
import Clocks
import CourtLogic
import MachineLink
import MockMachine
import Testing

extension FaultStories {
  /// The machine is off or far away for long.
  @Suite(.scriptedBlueZ) struct Absences {
    private static let name = LinkFixture.machine.string

    /// At both times that the link has to offer: while a Connect is pending, and in a scan.
    @Test(arguments: [LinkStatus.Phase.connecting, .discovering])
    func afterTenMinutesOurShareOfTheReturnIsSmall(phase: LinkStatus.Phase) async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.vanish(machine: Self.name))
        try await fixture.fails("the loss") { $0.isLinkLost }
        try await fixture.pass(.seconds(600))
        try await fixture.checkConnectRate()
        if await fixture.link.status.phase == phase {
          // Its end is some seconds away at the worst: begin with the next one.
          try await fixture.reachesNext(phase == .connecting ? .discovering : .connecting)
        }
        try await fixture.reachesNext(phase)
        try await fixture.pass(.seconds(5))
        let appearance = fixture.now
        let calls = await fixture.calls().count
        try await fixture.perform(.appear(machine: Self.name))
        let back = try await fixture.reachesNext(.ready).since
        let share = await fixture.ourShare(from: appearance, to: back)
        #expect(share <= .milliseconds(50), "our share: \(share)")
        // A pending Connect needs nothing more from us; a scan is stopped first.
        let later = await fixture.calls().dropFirst(calls)
        #expect(later == (phase == .connecting ? [] : ["StopDiscovery", "Connect"]))
        // BlueZ's own share: a report, the scan's end, link and services.
        #expect(appearance.duration(to: back) < .seconds(1))
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test func aNewAddressAfterTenMinutesIsAcceptedByName() async throws {
      let configuration = LinkConfiguration(name: "BallMachine")
      try await withLinkFixture(.oneMachine, configuration) { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.vanish(machine: Self.name))
        try await fixture.pass(.seconds(600))
        let new: MockAddress = "F0:F1:F2:F3:F4:99"
        try await fixture.perform(
          .newAddress(machine: Self.name, new),
          .appear(machine: new.string)
        )
        let status = try await fixture.reachesNext(.ready)
        #expect(status.machine == BluetoothAddress(new.string))
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.received(by: new) == [LinkFixture.ball(1).text])
      }
    }
  }
}
