import BlueZ
import CourtLogic
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// A hall full of phones, and others that look like ours.
  @Suite(.scriptedBlueZ) struct Crowds {
    private static let name = LinkBench.machine.string

    @Test func aThousandAdvertisementsASecondWakeNobody() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.advertiseFlood(perSecond: 1000))
        try await bench.pass(.seconds(2))
        let before = await bench.watched.signalsReceived()
        let levels = bench.watched.traffic.levels
        try await bench.pass(.seconds(10))
        // Nothing: not a message comes for what they say.
        #expect(await bench.watched.signalsReceived() == before)
        #expect(bench.watched.traffic.levels == levels)
        // Commands go on as ever.
        #expect(try await bench.send(1) == .delivered)
        try await bench.perform(.advertiseFlood(perSecond: 0))
      }
    }

    /// Though it hears them all, the link keeps looking for its machine.
    @Test func aMachineIsFoundInTheCrowd() async throws {
      try await withLinkBench(
        before: { mock in try await mock.perform(.advertiseFlood(perSecond: 1000)) }
      ) { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        try await bench.perform(.advertiseFlood(perSecond: 0))
      }
    }

    /// A stranger bears the configured name: whichever is meant, none of them is touched.
    @Test(arguments: [MockProfile.transparentUART, .nordicUART, .hm10])
    func aStrangerWithOurConfiguredNameMakesItAmbiguous(profile: MockProfile) async throws {
      let stranger = MockPeripheral("11:22:33:44:55:66", name: "BallMachine", profile: profile)
      let configuration = LinkConfiguration(name: "BallMachine")
      try await withLinkBench(
        MockWorld(peripherals: [stranger, MockPeripheral()]),
        configuration
      ) { bench in
        try await bench.fails("ambiguity") { $0.isAmbiguous }
        try await bench.pass(.seconds(100))
        for machine in [stranger.address, LinkBench.machine] {
          #expect(await bench.calls(on: machine) == [])
          #expect(await bench.received(by: machine) == [])
        }
        try await bench.perform(.vanish(machine: stranger.address.string))
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        #expect(await bench.calls(on: stranger.address) == [])
      }
    }
  }
}
