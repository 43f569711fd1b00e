import CourtLogic
import MachineLink
import Safety
import TestSupport
import Testing

@testable import Bridge
@testable import ControlProtocol
@testable import Host
@testable import JSON

/// Rule 14: where a client has asked for it, balls fly only while its connection lasts.
@Suite(.serialized, .mustEnd) struct ClientGoneTests {
  enum End: CaseIterable {
    /// It closes its socket, as the kernel does for one that is killed.
    case closes
    case hangsUp
    /// It will say nothing more, but reads on.
    case endsWriting
    /// It asks and never reads, until it is disconnected.
    case neverReads
    /// It hangs up when it has sent more than is read from it at once.
    case floods

    func take(_ client: inout WireClient?) async throws {
      let line = #"{"jsonrpc":"2.0","id":"\#(String(repeating: "i", count: 60_000))","method":1}"#
      switch self {
      case .closes: break
      case .hangsUp: client?.leave()
      case .endsWriting: client?.endWriting()
      case .neverReads: while await client?.write(line + "\n") == true {}
      case .floods:
        await client?.write(String(repeating: "\n", count: 200_000))
        client?.leave()
      }
      if self != .endsWriting { client = nil }
    }
  }

  /// A service whose machine is ready, behind a server.
  private func run(
    _ body: @escaping @Sendable (ServerSetup, ServiceFixture) async throws -> Void
  ) async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    let setup = try ServerSetup(role: .operator)
    try await setup.run(serving: fixture.service, on: fixture.central.executor) {
      try await body(setup, fixture)
    }
    _ = try await fixture.end()
  }

  private static let guarded = #"{"whileConnected":true}"#

  @Test(arguments: End.allCases) func theEndOfTheConnectionPauses(_ end: End) async throws {
    try await run { setup, fixture in
      var client: WireClient? = try await setup.client()
      let other = try await setup.client()
      let answer = await client?.call("arm", #"{"countdown":0,"whileConnected":true}"#)
      #expect(answer?["result"]?["state"]?.string == "live")
      _ = await client?.call("subscribe")
      try await end.take(&client)
      let status = await fixture.wait(for: "paused")
      #expect(status?.state == .paused(.clientGone))
      #expect(
        status?.state.reason
          == "the client that armed it has gone: look at the court, then resume or disarm"
      )
      #expect(try await fixture.written(atLeast: 1) == [ServiceFixture.stop])
      // Without a client of its own, it depends on none.
      let resumed = await other.call("resume", id: 2)
      #expect(resumed?["result"]?["code"]?.string == "resuming")
    }
  }

  @Test func theEndOfAnotherConnectionDoesNotPause() async throws {
    try await run { setup, fixture in
      let (first, second) = (try await setup.client(), try await setup.client())
      _ = await first.call("arm")
      first.leave()
      #expect(await first.line() == nil)
      // It has been served since.
      #expect(await second.call("resume", Self.guarded)?["result"]?["code"]?.string == "arming")
      let third = try await setup.client()
      #expect(await third.call("resume", Self.guarded)?["result"]?["code"]?.string == "arming")
      second.leave()
      #expect(await third.call("status", id: 2)?["result"] != nil)
      #expect(await fixture.summary.hasPrefix("countdown arming"))
      third.leave()
      await fixture.wait(for: "paused")
    }
  }

  /// The end may overtake the request on its way to the service.
  @Test func aClientThatHasGoneArmsNothing() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    let client = ClientPresence(number: 1)
    client.end()
    let service = fixture.service
    #expect(await service.perform(.arm(), while: client).refusal == "clientGone")
    #expect(await fixture.summary == "disarmed atStart")
    _ = await service.perform(.arm())
    _ = await service.perform(.pause)
    #expect(await service.perform(.resume(), while: client).refusal == "clientGone")
    #expect(await fixture.summary == "paused operator")
    // What stops or pauses never depends on its client.
    #expect(await service.perform(.stop, while: client).stop == .confirmed)
    _ = try await fixture.end()
  }

  /// The message that it has gone may be late.
  @Test func noBallLeavesAfterTheEndThoughItIsNotReported() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    let client = ClientPresence(number: 1)
    _ = await fixture.service.perform(.arm(countdown: .seconds(1)), while: client)
    try await fixture.stand()
    client.end()
    fixture.clock.advance(by: .seconds(1))
    #expect(await fixture.wait(for: "paused")?.state == .paused(.clientGone))
    #expect(try await fixture.end().counts.dispatches == 0)
  }

  @Test func anEndComesBeforeALaterRequest() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    let (first, second) = (ClientPresence(number: 1), ClientPresence(number: 2))
    _ = await fixture.service.perform(.arm(), while: first)
    first.end()
    #expect(await fixture.service.perform(.arm(), while: second).refusal == "paused")
    #expect(await fixture.summary == "paused clientGone")
    _ = try await fixture.end()
  }

  @Test func aClientThatHasGoneIsReportedOnceAndOnlyIfItIsNeeded() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let service = setup.service
      let (plain, needed) = (try await setup.client(), try await setup.client())
      for (id, method) in ["arm", "resume"].enumerated() { _ = await plain.call(method, id: id) }
      plain.leave()
      _ = await needed.call("resume", Self.guarded)
      #expect(await service.clients.map { $0 != nil } == [false, false, true])
      #expect(await service.clientsGone == 0)
      needed.leave()
      while await service.clientsGone == 0 { try await Task.yieldUnlessCancelled() }
      let last = try await setup.client()
      #expect(await last.call("status")?["result"] != nil)
      #expect(await service.clientsGone == 1)
    }
  }
}
