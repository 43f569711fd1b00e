import ControlProtocol
import CourtLogic
import Safety
import TestSupport
import Testing

@testable import Bridge
@testable import JSON

/// Every message with the method `stop` stops, whoever sends it and whatever is wrong with it.
@Suite(.serialized, .mustEnd) struct StopMessageTests {
  @Test(
    arguments: [
      (#"{"jsonrpc":"2.0","method":"stop","id":7}"#, .integer(7)),
      (#"{"jsonrpc":"2.0","method":"stop","id":"a"}"#, .string("a")),
      (#"{"jsonrpc":"2.0","method":"stop","id":null}"#, .null),
      (#"{"jsonrpc":"2.0","method":"stop","params":[],"id":7}"#, .integer(7)),
      (#"{"jsonrpc":"2.0","method":"stop","params":null,"id":7}"#, .integer(7)),
      (#"{"jsonrpc":"2.0","method":"stop","params":{"now":true},"id":7}"#, .integer(7)),
      (#"{"method":"stop","id":7}"#, .integer(7)),
      (#"{"jsonrpc":"1.0","method":"stop","id":7}"#, .integer(7)),
      (#"{"method":"stop"}"#, .null),
      (#"{"jsonrpc":"2.0","method":"stop","id":{}}"#, .null),
      (#"{"jsonrpc":"2.0","method":"stop","id":true}"#, .null),
      (#"{"jsonrpc":"2.0","method":"stop","id":0.5}"#, .null),
      (#"{"jsonrpc":"2.0","method":"stop","id":18446744073709551615}"#, .null),
      (#"[{"jsonrpc":"2.0","method":"stop","id":7}]"#, .integer(7)),
      (#"[{"jsonrpc":"2.0","method":"status","id":6},{"method":"stop","id":7}]"#, .integer(7)),
      (#"{"jsonrpc":"2.0","m\u0065thod":"st\u006fp","id":7}"#, .integer(7)),
      (#"{"jsonrpc":"2.0","method":"stop","id":7,}"#, .null),
      (#"{"method":"status","method":"stop","id":7}"#, .null),
      (#"{"jsonrpc":"2.0", "method" : "stop", "id":7"#, .null),
      (#"{"method":"stop","params":\#(String(repeating: "[", count: 5_000))"#, .null),
      (#"{"method":"stop","params":[\#(String(repeating: "0,", count: 100))0]}"#, .null),
    ] as [(String, JSONValue)]
  )
  func itStops(line: String, id: JSONValue) async throws {
    let stage = try ServerStage(role: .none)
    try await stage.run {
      let client = try await stage.client()
      await client.write(line + "\n")
      try await expectStop(stage, client, id)
    }
  }

  @Test(arguments: [#"{"jsonrpc":"2.0","method":"stop","id":7}"#, #"{"method":"stop","id":7"#])
  func aLineThatTheEndOfTheConnectionEndsStops(line: String) async throws {
    let stage = try ServerStage(role: .none)
    try await stage.run {
      let client = try await stage.client()
      await client.write(line)
      client.endWriting()
      try await expectStop(stage, client, line.hasSuffix("}") ? .integer(7) : .null)
      #expect(await client.line() == nil)
    }
  }

  @Test func bytesThatAreNoUTF8Stop() async throws {
    let stage = try ServerStage(role: .none)
    try await stage.run {
      let client = try await stage.client()
      await client.write(Array(#"{"method":"stop","by":""#.utf8) + [0xFF] + Array("\"}\n".utf8))
      try await expectStop(stage, client, .null)
      let line = #"{"method":"stop"}"# + "\n"
      await client.write(line.utf16.flatMap { [UInt8($0), 0] })
      await stage.service.begun(2)
    }
  }

  @Test(arguments: [0, 100_000, 1_000_000]) func aLineThatIsTooLongStops(before: Int) async throws {
    let stage = try ServerStage(role: .none)
    try await stage.run {
      let client = try await stage.client()
      let padding = String(repeating: " ", count: before)
      let note = String(repeating: "x", count: 100_000)
      await client.write(#"{\#(padding)"method":"stop","note":"\#(note)"}"# + "\n")
      #expect(await client.line()?.code == -32700)
      try await expectStop(stage, client, .null)
    }
  }

  @Test func aNotificationStopsAndIsNotAnswered() async throws {
    let stage = try ServerStage(role: .reader)
    try await stage.run {
      let client = try await stage.client()
      await client.ask("stop")
      await stage.service.begun(1)
      await client.ask("status", id: 2)
      #expect(await client.line()?["id"] == .integer(2))
    }
  }

  /// Words in the wrong place stop nothing.
  @Test(
    arguments: [
      #"{"jsonrpc":"2.0","method":"status","params":{"method":"stop"},"id":7}"#,
      #"{"jsonrpc":"2.0","method":"stopped","id":7}"#,
      #"{"jsonrpc":"2.0","method":"status","id":"\"method\":\"stop\"",}"#, "stop",
      #"[["method","stop"]]"#,
    ]
  )
  func whatIsNoStopDoesNotStop(line: String) async throws {
    let stage = try ServerStage()
    try await stage.run {
      let client = try await stage.client()
      await client.write(line + "\n")
      #expect(await client.line()?["error"] != nil)
      #expect(await stage.service.requests.isEmpty)
    }
  }

  @Test func oneMoreThanWaitForTheirOutcomeStopsToo() async throws {
    let stage = try ServerStage(role: .none)
    await stage.service.hold([.stop])
    try await stage.run {
      let client = try await stage.client()
      for id in 1...ControlLoop.mostStops { await client.ask("stop", id: id) }
      await stage.service.begun(ControlLoop.mostStops)
      #expect(await client.call("stop", id: 100)?["result"]?["outcome"]?.string == "pending")
      await stage.service.begun(ControlLoop.mostStops + 1)
      #expect(await stage.service.stopsBesides == 1)
      await stage.service.release()
      // The stops end together, so their answers come in any order.
      var confirmed: [Int] = []
      while confirmed.count < ControlLoop.mostStops, let answer = await client.line() {
        #expect(answer["result"]?["outcome"]?.string == "confirmed")
        confirmed.append(try #require(answer["id"]?.integer))
      }
      #expect(confirmed.sorted() == Array(1...ControlLoop.mostStops))
    }
  }

  @Test func nothingThatTheClientHasAskedBeforeIsInTheWay() async throws {
    let stage = try ServerStage()
    await stage.service.hold([.pause])
    try await stage.run {
      let client = try await stage.client()
      for id in 0..<1_000 { await client.ask("pause", id: id) }
      await client.ask("stop", id: 1_000)
      #expect(await client.answer(to: 1_000)?["result"]?["outcome"]?.string == "confirmed")
      await stage.service.release()
    }
  }

  @Test func aGuestThatMakesRoomIsHeardFirst() async throws {
    let stage = try ServerStage(role: .none)
    try await stage.run {
      var clients: [WireClient] = []
      for _ in 0..<ControlPlaces.guests * 4 {
        let client = try await WireClient(stage.controlPath)
        await client.write(#"{"method":"stop"}"# + "\n")
        clients.append(client)
      }
      await stage.service.begun(clients.count)
    }
  }

  /// More than is read in a turn, and more than may be read in a second.
  @Test(arguments: [2, 45])
  func aGuestThatMakesRoomIsHeardToTheEnd(linesBefore: Int) async throws {
    let stage = try ServerStage(role: .none)
    try await stage.run {
      var clients: [WireClient] = []
      let line = String(repeating: " ", count: 3_999) + "\n"
      for _ in 0..<ControlPlaces.guests * 2 {
        let client = try await WireClient(stage.controlPath)
        let flood = String(repeating: line, count: linesBefore)
        await client.write(flood + #"{"method":"stop"}"# + "\n")
        clients.append(client)
      }
      await stage.service.begun(clients.count)
    }
  }

  private func expectStop(
    _ stage: ServerStage,
    _ client: WireClient,
    _ id: JSONValue
  ) async throws {
    let answer = try #require(await client.line())
    #expect(answer["result"]?["outcome"]?.string == "confirmed")
    #expect(answer["id"] == id)
    #expect(await stage.service.requests == [.stop])
  }
}
