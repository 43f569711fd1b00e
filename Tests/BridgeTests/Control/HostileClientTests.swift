import CourtLogic
import JSON
import MachineLink
import Safety
import TestSupport
import Testing

@testable import Bridge
@testable import ControlProtocol

/// Whatever a client does, the others are served, stop works, and memory stays what it is.
@Suite(.serialized, .mustEnd) struct HostileClientTests {
  private static let status = #"{"jsonrpc":"2.0","method":"status","id":1}"# + "\n"

  /// What a client that behaves must always get.
  private func expectService(_ setup: ServerSetup) async throws {
    let client = try await setup.client()
    #expect(await client.call("status")?["result"] != nil)
    let stop = try await ControlClient.stop(in: setup.directory)
    #expect(stop["outcome"]?.string == "confirmed")
  }

  @Test func halfALineIsNoRequest() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      await client.write(#"{"jsonrpc":"2.0","method":"arm","id":1}"#)
      client.endWriting()
      let answer = await client.line()
      #expect(answer?["error"]?["message"]?.string?.hasPrefix("not done: ") == true)
      #expect(await client.line() == nil)
      #expect(await setup.service.requests.isEmpty)
      try await expectService(setup)
    }
  }

  @Test(arguments: [ControlMethod.pause, .disarm])
  func fewerBallsNeedNoLineFeed(_ method: ControlMethod) async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      await client.write(#"{"jsonrpc":"2.0","method":"\#(method.rawValue)","id":1}"#)
      client.endWriting()
      #expect(await client.line()?["result"] != nil)
    }
  }

  @Test func aLineInManyPiecesIsOne() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      for byte in Self.status.utf8 { await client.write([byte]) }
      #expect(await client.line()?["result"] != nil)
    }
  }

  @Test func tenMegabytesInALineAreRefusedOnce() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      await client.write([UInt8](repeating: UInt8(ascii: "a"), count: 10_000_000))
      await client.write("\n" + Self.status)
      #expect(await client.line()?.code == -32700)
      #expect(await client.line()?["result"] != nil)
      try await expectService(setup)
    }
  }

  @Test(
    arguments: [
      String(repeating: "[", count: 60_000),
      String(repeating: #"{"a":"#, count: 10_000) + "1" + String(repeating: "}", count: 10_000),
      "[" + String(repeating: "0,", count: 30_000) + "0]",
      #"{"jsonrpc":"2.0","id":1,"method":"status","params":"#
        + String(repeating: "[", count: 20) + String(repeating: "]", count: 20) + "}",
    ]
  )
  func deepAndWideJSONIsRefused(line: String) async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      await client.write(line + "\n")
      let answer = try #require(await client.line())
      #expect(answer.code == -32700)
      #expect(answer["error"]?["message"]?.string?.contains("nested too deeply") == true)
      try await expectService(setup)
    }
  }

  /// In UTF-16 a byte of a letter looks like a quotation mark: what counts levels in bytes sees none.
  @Test func noLineInUTF16IsRead() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
      let text = #"{"Ģ":["# + Array(repeating: deep, count: 32).joined(separator: ",") + "]}"
      await client.write(text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
      await client.write("\n")
      #expect(await client.line()?.code == -32700)
      try await expectService(setup)
    }
  }

  @Test func aFloodIsReadSlowlyAndHoldsUpNobody() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let flood = String(repeating: Self.status, count: 1_000)
      let flooders = try await [setup.client(), setup.client(), setup.client()]
      for flooder in flooders {
        // Longer than the socket's buffer: it waits there until the flooder leaves.
        Task { while await flooder.write(flood) {} }
      }
      try await expectService(setup)
      try await expectService(setup)
      for flooder in flooders { flooder.leave() }
    }
  }

  @Test func whoAsksAndNeverReadsIsSentAway() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      // Each is answered by an error that repeats the long id.
      let id = String(repeating: "i", count: 60_000)
      while await client.write(#"{"id":"\#(id)","jsonrpc":"2.0"}"# + "\n") {}
      try await expectService(setup)
    }
  }

  @Test func aSubscriberThatNeverReadsMissesEventsAndIsToldSo() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let lazy = try await setup.client()
      let keen = try await setup.client()
      _ = await lazy.call("subscribe")
      _ = await keen.call("subscribe")
      let count = 20_000
      async let last: Int = {
        // All of them, or the word that some are missing.
        var told = 0
        while told < count, let line = await keen.line() {
          switch line["method"]?.string {
          case "dropped": told += line["params"]?["count"]?.integer ?? 0
          case "event" where line["params"]?["event"]?.string == "stop": told += 1
          default: break
          }
        }
        return told
      }()
      for _ in 0..<count { await setup.service.publish(.stopped(.confirmed)) }
      #expect(await last == count)
      try await expectService(setup)

      // After each gap what counts is told again, whatever comes behind it.
      var told = 0
      var seen: [String] = []
      while told < count || seen.count < 2, let line = await lazy.line() {
        let event = line["params"]?["event"]?.string
        if line["method"]?.string == "dropped" {
          told += line["params"]?["count"]?.integer ?? 0
          seen = []
        } else if event == "stop" {
          told += 1
        } else if let event {
          seen.append(event)
        }
      }
      #expect(told == count)
      #expect(seen == ["link", "safety"])
    }
  }

  @Test func oneClientMoreThanThereArePlacesMayOnlyStop() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      var clients: [WireClient] = []
      for _ in 0..<ControlPlaces.count { clients.append(try await setup.client()) }
      let surplus = try await WireClient(setup.controlPath)
      #expect(await surplus.line()?.code == 4)
      #expect(await surplus.call("status")?.code == 4)
      #expect(await surplus.call("arm", id: 2)?.code == 4)
      #expect(await surplus.call("stop", id: 3)?["result"]?["outcome"]?.string == "confirmed")
      #expect(await setup.service.requests == [.stop])
      clients[7].leave()
      // The server has seen it go when it answers somebody else.
      #expect(await clients[0].call("status")?["result"] != nil)
      #expect(await clients[1].call("status")?["result"] != nil)
      try await expectService(setup)
    }
  }

  @Test func thoseWhoMayOnlyLookLeaveRoomForOperators() async throws {
    let setup = try ServerSetup(role: .reader)
    try await setup.run {
      var clients: [WireClient] = []
      for _ in 0..<ControlPlaces.count - ControlPlaces.reserved {
        clients.append(try await setup.client())
      }
      let surplus = try await WireClient(setup.controlPath)
      #expect(await surplus.line()?.code == 4)
    }
  }

  @Test(arguments: [ControlRole.none, .reader])
  func theConnectionsOfOneUserKeepNoOtherOut(role: ControlRole) async throws {
    let identities = ClientIdentities(role: .reader)
    let setup = try ServerSetup(identities)
    try await setup.run {
      identities.expect(128, user: 1_000, role: role)
      var flood: [WireClient] = []
      for _ in 0..<128 { flood.append(try await WireClient(setup.controlPath)) }
      let reader = try await setup.client()
      #expect(await reader.call("status")?["result"] != nil)
      identities.expect(1, user: 1_001, role: .none)
      let stranger = try await setup.client()
      // The flood goes on, and pushes out its own.
      identities.expect(128, user: 1_000, role: role)
      for _ in 0..<128 { flood.append(try await WireClient(setup.controlPath)) }
      #expect(await reader.call("status", id: 2)?["result"] != nil)
      #expect(await stranger.call("stop")?["result"]?["outcome"]?.string == "confirmed")
      withExtendedLifetime(flood) {}
    }
  }

  @Test func noBallIsAskedForBySomebodyWhoHasGone() async throws {
    let setup = try ServerSetup()
    await setup.service.hold([.pause])
    try await setup.run {
      let client = try await setup.client()
      await client.ask("pause", id: 1)
      await client.ask("arm", id: 2)
      await client.ask("disarm", id: 3)
      await client.ask("resume", id: 4)
      await setup.service.begun(1)
      client.leave()
      // Two rounds of the server's: it has noticed.
      let other = try await setup.client()
      #expect(await other.call("status")?["result"] != nil)
      #expect(await other.call("status")?["result"] != nil)
      await setup.service.release()
      await setup.service.begun(2)
      #expect(await setup.service.requests == [.pause, .disarm])
    }
  }

  @Test func noBallIsAskedForBySomebodyWhoLeavesAtOnce() async throws {
    let identities = ClientIdentities(role: .operator)
    let setup = try ServerSetup(identities)
    try await setup.run {
      let client = try await setup.client()
      let (held, newcomer) = try await setup.hold(by: identities)
      for (id, method) in ["arm", "resume", "pause"].enumerated() {
        await client.ask(method, id: id)
      }
      client.leave()
      held.release()
      await setup.service.begun(1)
      #expect(await setup.service.requests == [.pause])
      withExtendedLifetime(newcomer) {}
    }
  }

  @Test func moreRequestsThanMayWaitAreRefused() async throws {
    let setup = try ServerSetup()
    await setup.service.hold([.pause])
    try await setup.run {
      let client = try await setup.client()
      let surplus = 3
      for id in 0...RequestQueue.longest + surplus { await client.ask("pause", id: id) }
      var codes: [Int?] = []
      for _ in 0..<surplus { codes.append(await client.line()?.code) }
      #expect(codes == [4, 4, 4])
      await setup.service.release()
      for id in 0...RequestQueue.longest {
        #expect(await client.answer(to: id)?["result"] != nil)
      }
    }
  }
}
