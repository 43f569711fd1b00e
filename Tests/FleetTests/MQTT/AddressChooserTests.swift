import Brokers
import Host
import TestSupport
import Testing

@testable import Fleet

/// Names with several addresses, some of them dead.
@Suite(.mustEnd) struct AddressChooserTests {
  private func chosen(
    _ addresses: String...,
    port: Int,
    within limit: Duration = .seconds(8)
  ) async throws -> String {
    let chooser = AddressChooser(within: limit) { _ in addresses }
    let broker = BrokerSettings(host: "broker.example", port: port)
    return try await chooser.address(of: broker, on: LoopExecutor())
  }

  @Test func aDeadAddressCostsAQuarterOfASecond() async throws {
    let broker = try LocalListener()
    let dead = try Blackhole("127.0.0.2", port: broker.port)
    let begin = ContinuousClock.now
    #expect(try await chosen("127.0.0.2", "127.0.0.1", port: broker.port) == "127.0.0.1")
    let time = begin.duration(to: .now)
    #expect(time >= .milliseconds(250) && time < .seconds(8), "\(time)")
    withExtendedLifetime(dead) {}
  }

  @Test func aRefusalCostsNothing() async throws {
    let broker = try LocalListener()
    // Those that refuse, one that can't even be tried, and what no address is.
    let dead = (2...41).map { "127.0.0.\($0)" } + ["255.255.255.255", "-"]
    let chooser = AddressChooser(within: .seconds(3_600)) { _ in dead + ["127.0.0.1"] }
    let settings = BrokerSettings(host: "broker.example", port: broker.port)
    let begin = ContinuousClock.now
    #expect(try await chooser.address(of: settings, on: LoopExecutor()) == "127.0.0.1")
    // Their head starts together are 10 s.
    #expect(begin.duration(to: .now) < .seconds(5))
  }

  @Test func thePreferredOneWinsThoughOthersAnswer() async throws {
    let broker = try LocalListener()
    #expect(try await chosen("127.0.0.1", "127.0.0.3", port: broker.port) == "127.0.0.1")
  }

  @Test func theLastOfManyHasHalfOfTheTime() async throws {
    let broker = try LocalListener()
    let dead = try (2...41).map { try Blackhole("127.0.0.\($0)", port: broker.port) }
    let addresses = (2...41).map { "127.0.0.\($0)" } + ["127.0.0.1"]
    let chooser = AddressChooser(within: .seconds(4)) { _ in addresses }
    let settings = BrokerSettings(host: "broker.example", port: broker.port)
    #expect(try await chooser.address(of: settings, on: LoopExecutor()) == "127.0.0.1")
    withExtendedLifetime(dead) {}
  }

  @Test func allThatAreDeadAreNamed() async throws {
    let broker = try LocalListener()
    let dead = try ["127.0.0.2", "127.0.0.4"].map { try Blackhole($0, port: broker.port) }
    let failure = await #expect(throws: MQTTFailure.self) {
      try await chosen(
        "127.0.0.2",
        "127.0.0.3",
        "127.0.0.4",
        port: broker.port,
        within: .seconds(1)
      )
    }
    #expect(failure?.code == .unreachable)
    #expect(
      failure?.description
        == "can't connect to broker.example, port \(broker.port): no answer from "
        + "127.0.0.2 and 127.0.0.4 in 1 s; 127.0.0.3: Connection refused (3 addresses tried)"
    )
    let refused = await #expect(throws: MQTTFailure.self) {
      try await chosen("127.0.0.3", "127.0.0.5", port: broker.port)
    }
    #expect(
      refused?.description.contains(": 127.0.0.3 and 127.0.0.5: Connection refused (2") == true
    )
    withExtendedLifetime(dead) {}
  }

  @Test func aCancellationEndsTheRace() async throws {
    let broker = try LocalListener()
    let dead = try ["127.0.0.2", "127.0.0.4"].map { try Blackhole($0, port: broker.port) }
    let port = broker.port
    let race = Task {
      try await chosen("127.0.0.2", "127.0.0.4", port: port, within: .seconds(3_600))
    }
    race.cancel()
    await #expect(throws: CancellationError.self) { try await race.value }
    withExtendedLifetime(dead) {}
  }

  @Test func oneAddressIsNotTried() async throws {
    #expect(try await chosen("192.0.2.1", "192.0.2.1", port: 1) == "192.0.2.1")
  }

  @Test func familiesAlternate() {
    #expect(
      AddressChooser.alternating(["::1", "::2", "::1", "::3", "1.1.1.1", "2.2.2.2"])
        == ["::1", "1.1.1.1", "::2", "2.2.2.2", "::3"]
    )
    #expect(AddressChooser.alternating(["1.1.1.1", "::1"]) == ["1.1.1.1", "::1"])
    #expect(AddressChooser.alternating([]).isEmpty)
  }

  @Test func theSystemKnowsThisHost() throws {
    let local = BrokerSettings(host: "localhost", port: 1)
    let found = try AddressChooser.system(local)
    #expect(!found.isEmpty && found.allSatisfy { ["127.0.0.1", "::1"].contains($0) })
  }
}
