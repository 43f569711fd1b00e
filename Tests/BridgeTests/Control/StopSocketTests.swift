import CourtLogic
import JSON
import Safety
import TestSupport
import Testing

@testable import Bridge
@testable import ControlProtocol

@Suite(.serialized, .mustEnd) struct StopSocketTests {
  @Test(arguments: ["stop\n", "\n", "whatever, stop!\r\n", #"{"method":"stop"}"# + "\n"])
  func anyLineStops(line: String) async throws {
    let stage = try ServerStage(role: .none)
    try await stage.run {
      let client = try await WireClient(stage.stopPath)
      await client.write(line)
      let answer = try #require(await client.line())
      #expect(answer["outcome"]?.string == "confirmed")
      #expect(answer["reason"]?.string == "the machine has acknowledged the stop command")
      #expect(await client.line() == nil)
      #expect(await stage.service.requests == [.stop])
    }
  }

  @Test func whoConnectsAndEndsStops() async throws {
    let stage = try ServerStage()
    try await stage.run {
      let client = try await WireClient(stage.stopPath)
      client.endWriting()
      #expect(await client.line()?["outcome"]?.string == "confirmed")
      let gone = try await WireClient(stage.stopPath)
      await gone.write("sto")
      gone.leave()
      await stage.service.begun(2)
      #expect(await stage.service.requests == [.stop, .stop])
    }
  }

  @Test func whoSendsMuchAndNoLineStops() async throws {
    let stage = try ServerStage()
    try await stage.run {
      let client = try await WireClient(stage.stopPath)
      await client.write([UInt8](repeating: 0, count: 100_000))
      await stage.service.begun(1)
      #expect(await stage.service.requests == [.stop])
    }
  }

  @Test func whoOnlyConnectsIsInNobodysWay() async throws {
    let stage = try ServerStage()
    try await stage.run {
      let silent = try await stage.callers(200)
      #expect(try await ControlClient.stop(in: stage.directory)["outcome"] != nil)
      // Of those who made room none has stopped anything.
      #expect(await stage.service.requests == [.stop])
      withExtendedLifetime(silent) {}
    }
  }

  @Test func stopsThatWaitForTheirOutcomeHoldUpNoOther() async throws {
    let stage = try ServerStage()
    await stage.service.hold([.stop])
    try await stage.run {
      let first = try await stage.callers(StopLoop.clientLimit)
      for client in first { await client.write("stop\n") }
      await stage.service.begun(first.count)
      let last = try await WireClient(stage.stopPath)
      await last.write("stop\n")
      await stage.service.begun(first.count + 1)
      await stage.service.release()
      #expect(await last.line()?["outcome"]?.string == "confirmed")
    }
  }

  @Test func requestsThatHangOnTheControlSocketDoNotHoldUpAStop() async throws {
    let stage = try ServerStage()
    await stage.service.hold([.arm(), .pause, .disarm])
    try await stage.run {
      var clients: [WireClient] = []
      for _ in 0..<32 {
        let client = try await stage.client()
        for id in 0..<8 { await client.ask(["arm", "pause", "disarm"][id % 3], id: id) }
        clients.append(client)
      }
      await stage.service.begun(32)
      #expect(try await ControlClient.stop(in: stage.directory)["outcome"] != nil)
      await stage.service.release()
    }
  }
}
