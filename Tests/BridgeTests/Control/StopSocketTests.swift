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
    let setup = try ServerSetup(role: .none)
    try await setup.run {
      let client = try await WireClient(setup.stopPath)
      await client.write(line)
      let answer = try #require(await client.line())
      #expect(answer["outcome"]?.string == "confirmed")
      #expect(answer["reason"]?.string == "the machine has acknowledged the stop command")
      #expect(await client.line() == nil)
      #expect(await setup.service.requests == [.stop])
    }
  }

  @Test func whoConnectsAndEndsStops() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await WireClient(setup.stopPath)
      client.endWriting()
      #expect(await client.line()?["outcome"]?.string == "confirmed")
      let gone = try await WireClient(setup.stopPath)
      await gone.write("sto")
      gone.leave()
      await setup.service.begun(2)
      #expect(await setup.service.requests == [.stop, .stop])
    }
  }

  @Test func whoSendsMuchAndNoLineStops() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await WireClient(setup.stopPath)
      await client.write([UInt8](repeating: 0, count: 100_000))
      await setup.service.begun(1)
      #expect(await setup.service.requests == [.stop])
    }
  }

  @Test func whoOnlyConnectsIsInNobodysWay() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let silent = try await setup.callers(200)
      #expect(try await ControlClient.stop(in: setup.directory)["outcome"] != nil)
      // Of those who made room none has stopped anything.
      #expect(await setup.service.requests == [.stop])
      withExtendedLifetime(silent) {}
    }
  }

  @Test func stopsThatWaitForTheirOutcomeHoldUpNoOther() async throws {
    let setup = try ServerSetup()
    await setup.service.hold([.stop])
    try await setup.run {
      let first = try await setup.callers(StopLoop.clientLimit)
      for client in first { await client.write("stop\n") }
      await setup.service.begun(first.count)
      let last = try await WireClient(setup.stopPath)
      await last.write("stop\n")
      await setup.service.begun(first.count + 1)
      await setup.service.release()
      #expect(await last.line()?["outcome"]?.string == "confirmed")
    }
  }

  @Test func callersThatHaveLeftLeaveNoMoreWaitingThanThereArePlaces() async throws {
    let setup = try ServerSetup()
    await setup.service.hold([.stop])
    try await setup.run {
      let many = 3 * StopLoop.clientLimit
      for count in 1...many {
        let caller = try await WireClient(setup.stopPath)
        await caller.write("stop\n")
        await setup.service.begun(count)
        caller.leave()
      }
      #expect(await setup.service.stopsBesides == many - StopLoop.clientLimit)
      let last = try await WireClient(setup.stopPath)
      await last.write("stop\n")
      await setup.service.begun(many + 1)
      await setup.service.release()
      #expect(await last.line()?["outcome"]?.string == "confirmed")
      #expect(await last.line() == nil)
    }
  }

  @Test func requestsThatHangOnTheControlSocketDoNotHoldUpAStop() async throws {
    let setup = try ServerSetup()
    await setup.service.hold([.arm(), .pause, .disarm])
    try await setup.run {
      var clients: [WireClient] = []
      for _ in 0..<32 {
        let client = try await setup.client()
        for id in 0..<8 { await client.ask(["arm", "pause", "disarm"][id % 3], id: id) }
        clients.append(client)
      }
      await setup.service.begun(32)
      #expect(try await ControlClient.stop(in: setup.directory)["outcome"] != nil)
      await setup.service.release()
    }
  }
}
