import BlueZ
import CourtLogic
import MachineLink
import MockMachine
import Testing

extension FaultStories {
  /// A hall full of phones, and others that look like ours.
  @Suite(.scriptedBlueZ) struct Crowds {
    private static let name = LinkFixture.machine.string

    @Test func aThousandAdvertisementsASecondDoNotWakeTheLink() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.advertiseFlood(perSecond: 1000))
        try await fixture.pass(.seconds(2))
        let before = await fixture.watched.signalsReceived()
        let levels = fixture.watched.traffic.levels
        try await fixture.pass(.seconds(10))
        // Nothing: not a message comes for what they say.
        #expect(await fixture.watched.signalsReceived() == before)
        #expect(fixture.watched.traffic.levels == levels)
        // Commands go on as ever.
        #expect(try await fixture.send(1) == .delivered)
        try await fixture.perform(.advertiseFlood(perSecond: 0))
      }
    }

    /// Though it hears them all, the link keeps looking for its machine.
    @Test func aMachineIsFoundInTheCrowd() async throws {
      try await withLinkFixture(
        before: { mock in try await mock.perform(.advertiseFlood(perSecond: 1000)) }
      ) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        try await fixture.perform(.advertiseFlood(perSecond: 0))
      }
    }

    /// A stranger bears the configured name: whichever is meant, none of them is touched.
    @Test(arguments: [MockProfile.transparentUART, .nordicUART, .hm10])
    func aStrangerWithOurConfiguredNameMakesItAmbiguous(profile: MockProfile) async throws {
      let stranger = MockPeripheral("11:22:33:44:55:66", name: "BallMachine", profile: profile)
      let configuration = LinkConfiguration(name: "BallMachine")
      try await withLinkFixture(
        MockModel(peripherals: [stranger, MockPeripheral()]),
        configuration
      ) { fixture in
        try await fixture.fails("ambiguity") { $0.isAmbiguous }
        try await fixture.pass(.seconds(100))
        for machine in [stranger.address, LinkFixture.machine] {
          #expect(await fixture.calls(on: machine) == [])
          #expect(await fixture.received(by: machine) == [])
        }
        try await fixture.perform(.vanish(machine: stranger.address.string))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls(on: stranger.address) == [])
      }
    }
  }
}
