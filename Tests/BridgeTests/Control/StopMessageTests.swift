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
      ("stop", .null), (" STOP  now", .null), ("stop!", .null),
    ] as [(String, JSONValue)]
  )
  func itStops(line: String, id: JSONValue) async throws {
    let setup = try ServerSetup(role: .none)
    try await setup.run {
      let client = try await setup.client()
      await client.write(line + "\n")
      try await expectStop(setup, client, id)
    }
  }

  @Test(arguments: [#"{"jsonrpc":"2.0","method":"stop","id":7}"#, #"{"method":"stop","id":7"#])
  func aLineThatTheEndOfTheConnectionEndsStops(line: String) async throws {
    let setup = try ServerSetup(role: .none)
    try await setup.run {
      let client = try await setup.client()
      await client.write(line)
      client.endWriting()
      try await expectStop(setup, client, line.hasSuffix("}") ? .integer(7) : .null)
      #expect(await client.line() == nil)
    }
  }

  @Test func bytesThatAreNoUTF8Stop() async throws {
    let setup = try ServerSetup(role: .none)
    try await setup.run {
      let client = try await setup.client()
      await client.write(Array(#"{"method":"stop","by":""#.utf8) + [0xFF] + Array("\"}\n".utf8))
      try await expectStop(setup, client, .null)
      let line = #"{"method":"stop"}"# + "\n"
      await client.write(line.utf16.flatMap { [UInt8($0), 0] })
      await setup.service.begun(2)
    }
  }

  @Test(arguments: [0, 100_000, 1_000_000]) func aLineThatIsTooLongStops(before: Int) async throws {
    let setup = try ServerSetup(role: .none)
    try await setup.run {
      let client = try await setup.client()
      let padding = String(repeating: " ", count: before)
      let note = String(repeating: "x", count: 100_000)
      await client.write(#"{\#(padding)"method":"stop","note":"\#(note)"}"# + "\n")
      #expect(await client.line()?.code == -32700)
      try await expectStop(setup, client, .null)
    }
  }

  @Test func aNotificationStopsAndIsNotAnswered() async throws {
    let setup = try ServerSetup(role: .reader)
    try await setup.run {
      let client = try await setup.client()
      await client.ask("stop")
      await setup.service.begun(1)
      await client.ask("status", id: 2)
      #expect(await client.line()?["id"] == .integer(2))
    }
  }

  /// Words in the wrong place stop nothing.
  @Test(
    arguments: [
      #"{"jsonrpc":"2.0","method":"status","params":{"method":"stop"},"id":7}"#,
      #"{"jsonrpc":"2.0","method":"stopped","id":7}"#,
      #"{"jsonrpc":"2.0","method":"status","id":"\"method\":\"stop\"",}"#, "stopped", "don't stop",
      #"[["method","stop"]]"#,
    ]
  )
  func whatIsNoStopDoesNotStop(line: String) async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      await client.write(line + "\n")
      #expect(await client.line()?["error"] != nil)
      #expect(await setup.service.requests.isEmpty)
    }
  }

  @Test func oneMoreThanWaitForTheirOutcomeStopsToo() async throws {
    let setup = try ServerSetup(role: .none)
    await setup.service.hold([.stop])
    try await setup.run {
      let client = try await setup.client()
      for id in 1...ControlLoop.mostStops { await client.ask("stop", id: id) }
      await setup.service.begun(ControlLoop.mostStops)
      #expect(await client.call("stop", id: 100)?["result"]?["outcome"]?.string == "pending")
      await setup.service.begun(ControlLoop.mostStops + 1)
      #expect(await setup.service.stopsBesides == 1)
      await setup.service.release()
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
    let setup = try ServerSetup()
    await setup.service.hold([.pause])
    try await setup.run {
      let client = try await setup.client()
      for id in 0..<1_000 { await client.ask("pause", id: id) }
      await client.ask("stop", id: 1_000)
      #expect(await client.answer(to: 1_000)?["result"]?["outcome"]?.string == "confirmed")
      await setup.service.release()
    }
  }

  @Test func aGuestThatMakesRoomIsHeardFirst() async throws {
    let setup = try ServerSetup(role: .none)
    try await setup.run {
      var clients: [WireClient] = []
      for _ in 0..<ControlPlaces.guests * 4 {
        let client = try await WireClient(setup.controlPath)
        await client.write(#"{"method":"stop"}"# + "\n")
        clients.append(client)
      }
      await setup.service.begun(clients.count)
    }
  }

  /// More than is read in a turn, and more than may be read in a second.
  @Test(arguments: [2, 45])
  func aGuestThatMakesRoomIsHeardToTheEnd(linesBefore: Int) async throws {
    let setup = try ServerSetup(role: .none)
    try await setup.run {
      var clients: [WireClient] = []
      let line = String(repeating: " ", count: 3_999) + "\n"
      for _ in 0..<ControlPlaces.guests * 2 {
        let client = try await WireClient(setup.controlPath)
        let flood = String(repeating: line, count: linesBefore)
        await client.write(flood + #"{"method":"stop"}"# + "\n")
        clients.append(client)
      }
      await setup.service.begun(clients.count)
    }
  }

  private func expectStop(
    _ setup: ServerSetup,
    _ client: WireClient,
    _ id: JSONValue
  ) async throws {
    let answer = try #require(await client.line())
    #expect(answer["result"]?["outcome"]?.string == "confirmed")
    #expect(answer["id"] == id)
    #expect(await setup.service.requests == [.stop])
  }
}
