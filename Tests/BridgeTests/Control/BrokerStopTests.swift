import Brokers
import Fleet
import Safety
import TestSupport
import Testing

@testable import Bridge
@testable import ControlProtocol
@testable import Host
@testable import JSON

/// Who is at a broker can't see the court: there the one request is the stop.
@Suite(.mustEnd) struct BrokerStopTests {
  private static let box = String(repeating: "0f", count: 16)

  /// Messages that ask for all that the control socket knows.
  private static let wishes: [[UInt8]] =
    [[], Array("stop".utf8), Array("ON".utf8)]
    + ControlMethod.allCases.flatMap { method in
      [method.rawValue, #"{"jsonrpc":"2.0","id":1,"method":"\#(method.rawValue)"}"#].map {
        Array($0.utf8)
      }
    }

  private static let topics =
    CourtTopic.allCases.filter { $0 != .stop && $0 != .box }.map { $0.path(of: "court-1") }
    + ControlMethod.allCases.filter { $0 != .stop }.map { "ballmachine/court-1/\($0.rawValue)" }
    + [
      "ballmachine/court-1", "ballmachine/court-1/Stop", "ballmachine/court-1/stop/",
      "ballmachine/court-1/stop/arm", "ballmachine/court-1/state/stop", "ballmachine/court-2/stop",
      "ballmachine/stop", "ballmachine/+/stop".filter { $0 != "+" }, "homeassistant/status",
    ]

  @Test func onlyAStopLeadsToARequest() async throws {
    let broker = try await Broker()
    let setup = try ServerSetup(role: .technician)
    try await setup.run {
      let bridge = CourtService.Bridge(
        { setup.directory },
        findings: { nil },
        session: { _ in nil },
        picture: { Array("a picture".utf8) }
      )
      var settings = FleetSettings()
      settings.court = "court-1"
      (settings.session, settings.picture) = (true, true)
      let service = CourtService(
        settings,
        box: Self.box,
        version: "1",
        on: broker.settings(),
        of: bridge,
        executor: LoopExecutor(),
        report: { _ in }
      )
      let office = Party("office", at: broker.settings())
      try #require(await office.isReady("ballmachine/court-1/#"))
      let running = Task { await service.run() }
      // It has the service's state, and takes stops.
      try #require(
        await office.hearsAll(["ballmachine/court-1/link", "ballmachine/court-1/availability"])
      )
      for topic in Self.topics {
        for wish in Self.wishes {
          await office.say(MQTTMessage(topic, wish))
          await office.say(MQTTMessage(topic, wish, isRetained: true))
        }
      }
      await office.say(
        MQTTMessage("ballmachine/court-1/stop", Array("stop".utf8), isRetained: true)
      )
      // It comes after all of them.
      await office.say(MQTTMessage("ballmachine/court-1/stop", Array("stop".utf8)))
      let outcome = try #require(
        await office.hears("ballmachine/court-1/stop/outcome") { $0.contains("confirmed") }
      )
      #expect(outcome.contains(#""outcome":"confirmed""#))
      // Who is there hears a message that the broker keeps as a new one, too. The outcome may be the
      // first one's.
      while await setup.service.requests.count < 2 { try await Task.yieldUnlessCancelled() }
      #expect(await setup.service.requests == [.stop, .stop])
      #expect(await setup.service.sent.isEmpty)
      running.cancel()
      await running.value
    }
  }
}
