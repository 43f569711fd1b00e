import Brokers
import Fleet
import TestSupport
import Testing

/// `ballmachine mqtt status` and `ballmachine mqtt stop`, with Debian's broker.
@Suite(.mustEnd) struct CommandLineCourtsTests {
  private func run(_ arguments: String..., at port: Int) async throws -> BuiltProgram.Result {
    let result = try await BuiltProgram.run(
      arguments + ["--broker", "127.0.0.1:\(port)"],
      script: #""$1-mqtt" "${@:2}""#
    )
    PrintedRecords.add(result.output)
    return result
  }

  private func publish(_ topic: CourtTopic, _ text: String, by court: Party) async throws {
    let message = MQTTMessage(topic.path(of: "court-1"), Array(text.utf8), isRetained: true)
    let number = try #require(await court.connection.publish(message))
    #expect(await court.next()?.arrival == number)
  }

  @Test func aScriptGetsTheCourtsOnce() async throws {
    let broker = try await Broker()
    let court = Party("court", at: broker.settings())
    #expect(await court.isReady())
    try await publish(.availability, "online", by: court)
    try await publish(.state, #"{"state":"disarmed","mode":"SIM"}"#, by: court)
    let json = try await run("status", "--json", at: broker.port)
    #expect(json.code == 0, "\(json)")
    #expect(
      json.output == """
        {"court":"court-1","event":"courtState","isOnline":true,"problems":[],\
        "state":{"mode":"SIM","state":"disarmed"}}

        """
    )
    let text = try await run("status", at: broker.port)
    #expect(text.code == 0, "\(text)")
    #expect(text.output == "  Court    State     Mode\n  court-1  disarmed  SIM\n")
    let stop = #"{"outcome":"notDelivered","reason":"the machine is off"}"#
    try await publish(.state, #"{"state":"stopped","stop":\#(stop)}"#, by: court)
    let stopped = try await run("status", "--json", at: broker.port)
    #expect(stopped.output.contains(#""state":{"state":"stopped","stop":\#(stop)}"#), "\(stopped)")
  }

  @Test func theExitCodeSaysWhetherTheMachineHasTheStop() async throws {
    let broker = try await Broker()
    let court = Party("court", at: broker.settings())
    #expect(await court.isReady())
    try await publish(.availability, "offline", by: court)
    let offline = try await run("stop", "court-1", "--json", at: broker.port)
    #expect(offline.code == 69, "\(offline)")
    #expect(offline.errors.contains("NOT reached"))
    try await publish(.availability, "online", by: court)
    for (outcome, code) in [("confirmed", 0), ("unconfirmed", 75), ("notDelivered", 69)] {
      let listener = Party("listener", at: broker.settings())
      #expect(await listener.isReady(CourtTopic.stop.path(of: "court-1")))
      async let result = run("stop", "court-1", "--json", at: broker.port)
      guard case .message = await listener.next() else { break }
      let answer = #"{"outcome":"\#(outcome)","reason":"why"}"#
      _ = await listener.connection.publish(
        MQTTMessage(CourtTopic.outcome.path(of: "court-1"), Array(answer.utf8))
      )
      #expect(try await result.code == Int32(code), "\(outcome)")
    }
    await broker.end()
    let away = try await run("stop", "court-1", at: broker.port)
    #expect(away.code == 69, "\(away)")
    #expect(away.errors.contains("NOTHING was stopped"))
  }

  @Test func withoutABrokerToAskItSaysWhatToGive() async throws {
    let result = try await BuiltProgram.run(
      ["status", "--config", "/dev/null"],
      script: #""$1-mqtt" "${@:2}""#
    )
    #expect(result.code == 64)
    #expect(result.errors.contains("give --broker HOST[:PORT]"))
  }
}
