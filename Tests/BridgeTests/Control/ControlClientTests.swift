import CourtLogic
import Glibc
import MachineLink
import Safety
import TestSupport
import Testing

@testable import Bridge
@testable import ControlProtocol
@testable import Host
@testable import JSON

@Suite(.serialized, .mustEnd) struct ControlClientTests {
  @Test func itKnowsTheServiceAndAsksIt() async throws {
    let setup = try ServerSetup(role: .operator)
    try await setup.run {
      let client = try await ControlClient.connect(in: setup.directory)
      #expect(client.hello.version == "1.2.3" && client.hello.role == .operator)
      async let status = client.call(.status)
      async let armed = client.call(.arm(countdown: .seconds(3)))
      #expect(try await status["version"]?.string == "1.2.3")
      #expect(try await armed["state"]?.string == "disarmed")
      await #expect(
        throws: ControlClientError.failed(
          code: 1,
          message: "send is for the group ballmachine-technician: run `adduser USER"
            + " ballmachine-technician` as root, and log in again",
          data: .object([
            "role": .string("technician"), "group": .string("ballmachine-technician"),
          ])
        )
      ) { try await client.call(.send(.command(.stop))) }
    }
  }

  @Test func itFollowsWhatHappens() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await ControlClient.connect(in: setup.directory)
      _ = try await client.call(.subscribe())
      await setup.service.publish(.stopped(.unconfirmed))
      var seen: [String] = []
      for await case .event(let record) in client.notifications {
        seen.append(record["event"]?.string ?? "")
        if seen.last == "stop" { break }
      }
      #expect(seen == ["link", "safety", "stop"])
    }
  }

  @Test func aServiceThatEndsEndsTheConversation() async throws {
    let setup = try ServerSetup()
    await setup.service.hold([.arm()])
    let (clients, continuation) = AsyncStream.makeStream(of: ControlClient.self)
    async let answer: JSONValue = {
      for await client in clients { return try await client.call(.arm()) }
      return .null
    }()
    try await setup.run {
      continuation.yield(try await ControlClient.connect(in: setup.directory))
      await setup.service.begun(1)
    }
    // The server has not waited for the service.
    let result: Result<JSONValue, any Error>
    do { result = .success(try await answer) } catch { result = .failure(error) }
    #expect(throws: ControlClientError.lost) { try result.get() }
    await setup.service.release()
  }

  @Test func withoutAServiceItSaysSo() async throws {
    let base = try TemporaryDirectory()
    let directory = try RuntimeDirectory(at: base.path)
    let path = directory.path(of: ControlSockets.control)
    await #expect(throws: ControlClientError.noService(path)) {
      try await ControlClient.connect(in: directory)
    }
    let stopPath = directory.path(of: ControlSockets.stop)
    await #expect(throws: ControlClientError.noService(stopPath)) {
      try await ControlClient.stop(in: directory)
    }
  }

  @Test func ofTwoWaysToStopOneIsEnough() async throws {
    let setup = try ServerSetup(role: .none)
    try await setup.run {
      try #require(unlink(setup.stopPath) == 0)
      #expect(try await ControlClient.stop(in: setup.directory)["outcome"]?.string == "confirmed")
      #expect(await setup.service.requests == [.stop])
    }
  }

  @Test func aClientWithoutAPlaceStopsThroughTheControlSocket() async throws {
    let identities = ClientIdentities(role: .operator)
    let setup = try ServerSetup(identities)
    try await setup.run {
      try #require(unlink(setup.stopPath) == 0)
      identities.expect(ControlPlaces.ofOneUser + 1, user: 1_000, role: .operator)
      var placed: [WireClient] = []
      for _ in 0..<ControlPlaces.ofOneUser { placed.append(try await setup.client()) }
      #expect(try await ControlClient.stop(in: setup.directory)["outcome"]?.string == "confirmed")
      #expect(await setup.service.requests == [.stop])
      withExtendedLifetime(placed) {}
    }
  }

  @Test func aLinkIsNoSocketOfTheServices() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let other = try TemporaryDirectory()
      for name in [ControlSockets.control, ControlSockets.stop] {
        try #require(symlink(setup.directory.path(of: name), other(name)) == 0)
      }
      let directory = try RuntimeDirectory(at: other.path)
      let path = directory.path(of: ControlSockets.stop)
      await #expect(throws: ControlClientError.untrusted(path, "it is a link")) {
        try await ControlClient.stop(in: directory)
      }
      #expect(await setup.service.requests.isEmpty)
    }
  }

  @Test func aServiceThatSaysNothingIsGivenUp() async throws {
    let base = try TemporaryDirectory()
    let directory = try RuntimeDirectory(at: base.path)
    let path = directory.path(of: ControlSockets.control)
    // Nobody ever accepts.
    let listener = try ListeningSocket(path: path)
    await #expect(throws: ControlClientError.silent(path)) {
      try await ControlClient.connect(in: directory, timeout: .milliseconds(50))
    }
    withExtendedLifetime(listener) {}
  }

  /// It has the stop; the other socket is the same process's.
  @Test func aServiceThatDoesNotAnswerAStopIsNotAskedTwice() async throws {
    let base = try TemporaryDirectory()
    let directory = try RuntimeDirectory(at: base.path)
    let path = directory.path(of: ControlSockets.stop)
    let stopListener = try ListeningSocket(path: path)
    let other = try ListeningSocket(path: directory.path(of: ControlSockets.control))
    await #expect(throws: ControlClientError.silent(path)) {
      try await ControlClient.stop(in: directory, timeout: .milliseconds(50))
    }
    #expect(try other.accept() == nil)
    withExtendedLifetime(stopListener) {}
  }

  @Test func anAnswerThatDoesNotComeIsNotAwaitedForEver() async throws {
    let setup = try ServerSetup()
    await setup.service.hold([.arm()])
    try await setup.run {
      let client = try await ControlClient.connect(in: setup.directory)
      await #expect(throws: ControlClientError.silent(setup.controlPath)) {
        try await client.call(.arm(), timeout: .milliseconds(50))
      }
      let asking = Task { try await client.call(.status, timeout: .seconds(50)) }
      asking.cancel()
      await #expect(throws: ControlClientError.cancelled) { try await asking.value }
      await setup.service.release()
    }
  }

  /// After an update, the old service may still run, or a newer one.
  @Test(arguments: [1, 9]) func aServiceOfAnotherVersionCanBeStopped(version: Int) async throws {
    let base = try TemporaryDirectory()
    let directory = try RuntimeDirectory(at: base.path)
    // There is no stop socket, so that the control socket must do.
    let listener = try ListeningSocket(path: directory.path(of: ControlSockets.control))
    async let stop = ControlClient.stop(in: directory)
    let service = Feeder(try await firstClient(of: listener))
    await service.write(
      #"{"jsonrpc":"2.0","method":"hello","params":{"protocol":\#(version)}}"# + "\n"
    )
    await service.write(#"{"id":1,"jsonrpc":"2.0","result":{"outcome":"confirmed"}}"# + "\n")
    #expect(try await stop["outcome"]?.string == "confirmed")
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\n", "{}\n",
    #"{"jsonrpc":"2.0","method":"hello","params":{"protocol":3,"version":"9","role":"reader"}}"#
      + "\n",
  ])
  func somebodyElsesSocketIsToldApart(greeting: String) async throws {
    let base = try TemporaryDirectory()
    let directory = try RuntimeDirectory(at: base.path)
    let path = directory.path(of: ControlSockets.control)
    let listener = try ListeningSocket(path: path)
    async let client = ControlClient.connect(in: directory)
    await Feeder(try await firstClient(of: listener)).write(greeting)
    do {
      _ = try await client
      Issue.record("it talks to anybody")
    } catch let error as ControlClientError {
      #expect(error == .strange(path))
    }
  }

  private func firstClient(of listener: ListeningSocket) async throws -> FileDescriptor {
    while true {
      if let client = try listener.accept() { return client }
      await Task.yield()
    }
  }
}
