import BlueZ
import Clocks
import CourtLogic
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// The machine is off or far away for long.
  @Suite(.scriptedBlueZ) struct Absences {
    private static let name = LinkBench.machine.string

    /// At both times that the link has to offer: while a Connect is pending, and in a scan.
    @Test(arguments: [LinkStatus.Phase.connecting, .discovering])
    func afterTenMinutesOurShareOfTheReturnIsSmall(phase: LinkStatus.Phase) async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.vanish(machine: Self.name))
        try await bench.fails("the loss") { $0 == .linkLost }
        try await bench.pass(.seconds(600))
        try await bench.checkConnectRate()
        if await bench.link.status.phase == phase {
          // Its end is some seconds away at the worst: begin with the next one.
          try await bench.reachesNext(phase == .connecting ? .discovering : .connecting)
        }
        try await bench.reachesNext(phase)
        try await bench.pass(.seconds(5))
        let appearance = bench.now
        let calls = await bench.calls().count
        try await bench.perform(.appear(machine: Self.name))
        let back = try await bench.reachesNext(.ready).since
        let share = await bench.ourShare(from: appearance, to: back)
        #expect(share <= .milliseconds(50), "our share: \(share)")
        // A pending Connect needs nothing more from us; a scan is stopped first.
        let later = await bench.calls().dropFirst(calls)
        #expect(later == (phase == .connecting ? [] : ["StopDiscovery", "Connect"]))
        // BlueZ's own share: a report, the scan's end, link and services.
        #expect(appearance.duration(to: back) < .seconds(1))
        #expect(try await bench.send(1) == .delivered)
      }
    }

    @Test func aNewAddressAfterTenMinutesIsAcceptedByName() async throws {
      let configuration = LinkConfiguration(name: "BallMachine")
      try await withLinkBench(.oneMachine, configuration) { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.vanish(machine: Self.name))
        try await bench.pass(.seconds(600))
        let new: MockAddress = "F0:F1:F2:F3:F4:99"
        try await bench.perform(
          .newAddress(machine: Self.name, new),
          .appear(machine: new.string)
        )
        let status = try await bench.reachesNext(.ready)
        #expect(status.machine == BluetoothAddress(new.string))
        #expect(try await bench.send(1) == .delivered)
        #expect(await bench.received(by: new) == [LinkBench.ball(1).digits])
      }
    }
  }
}
