import CourtLogic
import JSON
import MachineLink
import Positions
import TestSupport
import Testing

@testable import Bridge
@testable import ControlProtocol
@testable import Host
@testable import Safety

@Suite(.serialized, .mustEnd) struct ControlServerTests {
  private static let longLabel = "a" + String(repeating: "\u{301}", count: 80)

  @Test(arguments: ControlRole.allCases)
  func theHelloTellsWhatTheClientMayDo(role: ControlRole) async throws {
    let setup = try ServerSetup(role: role)
    try await setup.run {
      let client = try await WireClient(setup.controlPath)
      let hello = try #require(await client.line())
      #expect(hello["method"]?.string == "hello")
      #expect(hello["params"]?["protocol"]?.integer == 2)
      #expect(hello["params"]?["version"]?.string == "1.2.3")
      #expect(hello["params"]?["role"]?.string == role.rawValue)
    }
  }

  @Test func theStatusIsTold() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      let status = try #require(await client.call("status")?["result"])
      #expect(status["version"]?.string == "1.2.3")
      #expect(status["mode"]?.string == "SIM")
      #expect(status["safety"]?["state"]?.string == "disarmed")
      #expect(status["link"]?["state"]?.string == "ready")
      #expect(status["player"] == .null && status["configuration"] == .null)
    }
  }

  @Test(
    arguments: [
      ("arm", nil, .arm(countdown: nil)),
      ("arm", #"{"countdown":2.5}"#, .arm(countdown: .milliseconds(2_500))),
      ("disarm", "{}", .disarm), ("pause", nil, .pause), ("resume", nil, .resume()),
      ("resume", #"{"countdown":10}"#, .resume(countdown: .seconds(10))), ("reset", nil, .reset),
    ] as [(String, String?, SafetyRequest)]
  )
  func whatIsAskedReachesTheService(
    method: String,
    parameters: String?,
    request: SafetyRequest
  ) async throws {
    let setup = try ServerSetup(role: .operator)
    try await setup.run {
      let client = try await setup.client()
      let answer = try #require(await client.call(method, parameters))
      #expect(answer["result"]?["state"]?.string == "disarmed")
      #expect(await setup.service.requests == [request])
    }
  }

  @Test func thePlayerIsFollowedAsLongAsAClientWants() async throws {
    let setup = try ServerSetup(role: .reader)
    try await setup.run {
      let service = setup.service
      var client: WireClient? = try await setup.client()
      let plain = try await setup.client()
      #expect(await plain.call("subscribe")?["result"]?["subscribed"] == .boolean(true))
      #expect(await service.followers.isEmpty)
      let answer = await client?.call("subscribe", #"{"player":0.02}"#)
      #expect(answer?["result"]?["subscribed"] == .boolean(true))
      while await service.followers.isEmpty { try await Task.yieldUnlessCancelled() }
      try await service.see(x: 4.1)
      var record = await client?.line()?["params"]
      while record?["event"]?.string != "position" { record = await client?.line()?["params"] }
      #expect(record?["x"]?.number == 4.1 && record?["y"]?.number == 9.8)
      #expect(record?["connection"]?.string == "client 1" && record?["id"]?.string == "near")

      client = nil
      while await service.formerFollowers == 0 { try await Task.yieldUnlessCancelled() }
      // The other one gets events all along, and no position.
      await service.publish(.positions(.ended))
      var events: [String] = []
      while events.last != "feed" {
        events.append(await plain.line()?["params"]?["event"]?.string ?? "")
      }
      #expect(events == ["link", "safety", "feed"])
    }
  }

  @Test(arguments: ["0", "0.01", "-1", "3601", "true", "\"0.1\"", "null", "[]"])
  func anIntervalOutOfRangeIsRefused(interval: String) async throws {
    let setup = try ServerSetup(role: .reader)
    try await setup.run {
      let client = try await setup.client()
      let answer = await client.call("subscribe", #"{"player":\#(interval)}"#)
      #expect(
        answer?["error"]?["message"]?.string
          == "“player” is not a number of seconds from 0.02 to 3600"
      )
    }
  }

  @Test(arguments: [
    (SafetyRefusal.stopLatched, "stop is latched: reset first", "stopLatched", nil),
    (
      .tooSoon(wait: .microseconds(1_234_100)),
      "the last ball has only just left: try again in 1.3 s", "tooSoon", 1.235
    ),
  ])
  func aRefusalSaysWhy(
    _ refusal: SafetyRefusal,
    message: String,
    code: String,
    wait: Double?
  ) async throws {
    let setup = try ServerSetup()
    await setup.service.refuse(refusal)
    try await setup.run {
      let client = try await setup.client()
      let answer = try #require(await client.call("arm"))
      #expect(answer.code == 2)
      let error = try #require(answer["error"])
      #expect(error["message"]?.string == message)
      #expect(error["data"]?["code"]?.string == code)
      #expect(error["data"]?["wait"]?.number == wait)
    }
  }

  @Test func aStopTellsItsOutcome() async throws {
    let setup = try ServerSetup(role: .none)
    try await setup.run {
      let client = try await setup.client()
      let result = try #require(await client.call("stop")?["result"])
      #expect(result["outcome"]?.string == "confirmed")
      #expect(result["safety"]?["stop"]?["outcome"]?.string == "confirmed")
    }
  }

  @Test func aNotificationIsCarriedOutAndNotAnswered() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      await client.ask("pause")
      await client.ask("unheard-of")
      await client.ask("status", id: 7)
      #expect(await client.line()?["id"] == .integer(7))
      #expect(await setup.service.requests == [.pause])
    }
  }

  @Test(
    arguments: [
      ("hello", -32700), ("{\"jsonrpc\":\"2.0\"", -32700), ("\u{0}\u{1}", -32700),
      ("[]", -32600), ("[{\"jsonrpc\":\"2.0\",\"method\":\"arm\",\"id\":1}]", -32600),
      ("7", -32600), ("{}", -32600), (#"{"jsonrpc":"1.0","method":"arm","id":1}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1}"#, -32600), (#"{"jsonrpc":"2.0","method":7,"id":1}"#, -32600),
      (#"{"jsonrpc":"2.0","method":"arm","id":{}}"#, -32600),
      (#"{"jsonrpc":"2.0","method":"arm","id":0.5}"#, -32600),
      (#"{"jsonrpc":"2.0","method":"arm","id":9223372036854775808}"#, -32700),
      (#"{"jsonrpc":"2.0","method":"arm","id":7,}"#, -32700),
      (#"{"jsonrpc":"2.0","method":"arm","method":"arm","id":7}"#, -32700),
      (#"{"jsonrpc":"2.0","method":"fire","id":1}"#, -32601),
      (#"{"jsonrpc":"2.0","method":"arm","id":1,"params":[3]}"#, -32602),
      (#"{"jsonrpc":"2.0","method":"arm","id":1,"params":{"count":3}}"#, -32602),
      (#"{"jsonrpc":"2.0","method":"arm","id":1,"params":{"countdown":"3"}}"#, -32602),
      (#"{"jsonrpc":"2.0","method":"arm","id":1,"params":{"countdown":-1}}"#, -32602),
      (#"{"jsonrpc":"2.0","method":"arm","id":1,"params":{"countdown":1e300}}"#, -32602),
      (#"{"jsonrpc":"2.0","method":"arm","id":1,"params":{"whileConnected":1}}"#, -32602),
      // One character of 161 bytes.
      (
        #"{"jsonrpc":"2.0","method":"arm","id":1,"params":{"label":"\#(Self.longLabel)"}}"#,
        -32602
      ),
      (#"{"jsonrpc":"2.0","method":"pause","id":1,"params":{"whileConnected":true}}"#, -32602),
      (#"{"jsonrpc":"2.0","method":"send","id":1,"params":{"confirmed":true}}"#, -32602),
      (
        #"{"jsonrpc":"2.0","method":"send","id":1,"params":{"command":"1","confirmed":true}}"#,
        -32602
      ),
      (
        #"{"jsonrpc":"2.0","method":"send","id":1,"params":{"zone":16,"confirmed":true}}"#,
        -32602
      ),
      (
        #"{"jsonrpc":"2.0","method":"send","id":1,"params":{"zone":5,"command":"0"}}"#, -32602
      ),
      (#"{"jsonrpc":"2.0","method":"send","id":1,"params":{"zone":"1-1"}}"#, 2),
      (#"{"jsonrpc":"2.0","method":"reload","id":1}"#, 3),
      (#"{"jsonrpc":"2.0","method":"reload","id":1,"params":{"empty":1}}"#, -32602),
    ]
  )
  func whatIsWrongIsSaidAndNothingIsDone(line: String, code: Int) async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      await client.write(line + "\n")
      let answer = try #require(await client.line())
      #expect(answer.code == code)
      #expect(
        answer["id"]
          == (line.contains(#""id":1"#) && code != -32700 && !line.hasPrefix("[")
            ? .integer(1) : .null)
      )
      #expect(await setup.service.requests.isEmpty)
      #expect(await setup.service.sent.isEmpty)
      // And the next request is served as if nothing had been.
      #expect(await client.call("status", id: 2)?["result"] != nil)
    }
  }

  @Test(
    arguments: [
      (ControlRole.none, "status", "ballmachine"), (.none, "arm", "ballmachine-operator"),
      (.reader, "reset", "ballmachine-operator"), (.reader, "reload", "ballmachine-operator"),
      (.reader, "send", "ballmachine-technician"), (.operator, "send", "ballmachine-technician"),
    ]
  )
  func whoMayNotIsToldWhichGroupMay(role: ControlRole, method: String, group: String) async throws {
    let setup = try ServerSetup(role: role)
    try await setup.run {
      let client = try await setup.client()
      let answer = try #require(await client.call(method))
      #expect(answer.code == 1)
      #expect(answer["error"]?["data"]?["group"]?.string == group)
      #expect(answer["error"]?["message"]?.string?.contains("adduser USER \(group)") == true)
      #expect(await setup.service.requests.isEmpty)
    }
  }

  @Test(
    arguments: [
      (#"{"command":"110001060014004500","confirmed":true}"#, "110001060014004500"),
      (#"{"zone":"3-2","confirmed":true}"#, "119001078019009000"),
      (#"{"zone":14,"confirmed":true}"#, "119001078019009000"),
      (
        #"{"fields":{"upper":1,"lower":2,"pitch":3,"yaw":4},"confirmed":true}"#,
        "000010000200030004"
      ),
      (#"{"command":"40,41,20,45,50","confirmed":true}"#, "40,41,20,45,50"),
      (
        #"{"fields":{"upper":40,"lower":41,"pitch":20,"yaw":45,"feed":50},"confirmed":true}"#,
        "40,41,20,45,50"
      ),
    ]
  )
  func aCommandByHandHasThreeForms(parameters: String, digits: String) async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      let result = try #require(await client.call("send", parameters)?["result"])
      #expect(result["outcome"]?.string == "delivered")
      #expect(result["command"]?.string == digits)
      #expect(await setup.service.sent.map(\.text) == [digits])
    }
  }

  @Test func theStopDigitsNeedNoConfirmation() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      let answer = await client.call("send", #"{"command":"000000000000000000"}"#)
      #expect(answer?["result"]?["outcome"]?.string == "unconfirmed")
    }
  }

  @Test func theTableAndTheMetricsAreTold() async throws {
    let setup = try ServerSetup()
    try await setup.run {
      let client = try await setup.client()
      let table = try #require(await client.call("table", id: 1)?["result"])
      #expect(table["commands"]?["3-2"]?.string == "119001078019009000")
      #expect(table["fallback"]?.string == "110001060014004500")
      #expect(table["stopCommand"]?.string == "000000000000000000")
      let metrics = try #require(await client.call("metrics", id: 2)?["result"]?["text"]?.string)
      #expect(metrics.contains("ballmachine_link_state{state=\"ready\"} 1\n"))
    }
  }

  @Test(
    arguments: [
      (.success(ReloadRecord(applied: ["court.apron"], atRestart: [])), nil),
      (.failure(.reloadRefused("config.yaml:3:1: no")), "config.yaml:3:1: no"),
    ] as [(Result<ReloadRecord, ControlError>, String?)]
  )
  func theConfigurationIsReadAgain(
    reply: Result<ReloadRecord, ControlError>,
    refusal: String?
  ) async throws {
    let insists = Locked<[Bool]>([])
    let setup = try ServerSetup { empty throws(ControlError) in
      insists.withLock { $0.append(empty) }
      return try reply.get()
    }
    try await setup.run {
      let client = try await setup.client()
      _ = await client.call("reload", #"{"empty":true}"#)
      let answer = try #require(await client.call("reload"))
      #expect(insists.withLock(\.self) == [true, false])
      #expect(answer["error"]?["message"]?.string == refusal)
      #expect(answer["error"]?["data"]?["code"]?.string == refusal.map { _ in "reloadRefused" })
      if refusal == nil {
        #expect(answer["result"]?["applied"] == .array([.string("court.apron")]))
      }
    }
  }

  @Test func whoSubscribesIsToldThePresentAndThenEveryChange() async throws {
    let setup = try ServerSetup(role: .reader)
    try await setup.run {
      let client = try await setup.client()
      #expect(await client.call("subscribe")?["result"]?["subscribed"] == .boolean(true))
      var seen: [String] = []
      while seen != ["link", "safety"] {
        let line = try #require(await client.line())
        #expect(line["method"]?.string == "event")
        seen.append(try #require(line["params"]?["event"]?.string))
      }
      await setup.service.publish(.stopped(.confirmed))
      let line = try #require(await client.line())
      #expect(line["params"]?["event"]?.string == "stop")
      #expect(line["params"]?["outcome"]?.string == "confirmed")
    }
  }

  @Test func requestsOfOneClientAreCarriedOutInTheirOrder() async throws {
    let setup = try ServerSetup()
    await setup.service.hold([.pause])
    try await setup.run {
      let client = try await setup.client()
      for (id, method) in ["pause", "disarm", "reset", "arm"].enumerated() {
        await client.ask(method, id: id)
      }
      await setup.service.begun(1)
      await setup.service.release()
      for id in 0..<4 { #expect(await client.line()?["id"] == .integer(Int64(id))) }
      #expect(await setup.service.requests == [.pause, .disarm, .reset, .arm()])
    }
  }

  @Test func aPauseDoesNotWaitForADisk() async throws {
    let disk = FirstAnswer<Void>()
    let setup = try ServerSetup { _ async throws(ControlError) in
      try? await disk.wait()
      throw .reloadRefused("it is broken")
    }
    try await setup.run {
      let client = try await setup.client()
      for (id, method) in ["reload", "status", "pause", "arm", "disarm"].enumerated() {
        await client.ask(method, id: id)
      }
      #expect(await client.line()?["id"] == .integer(2))
      disk.give(.success(()))
      // But it doesn't overtake what arms.
      for id: Int64 in [0, 1, 3, 4] { #expect(await client.line()?["id"] == .integer(id)) }
      #expect(await setup.service.requests == [.pause, .arm(), .disarm])
    }
  }

  @Test func aStopOvertakesWhatWaits() async throws {
    let setup = try ServerSetup()
    await setup.service.hold([.arm()])
    try await setup.run {
      let client = try await setup.client()
      await client.ask("arm", id: 1)
      await client.ask("pause", id: 2)
      await client.ask("stop", id: 3)
      #expect(await client.line()?["id"] == .integer(3))
      #expect(await setup.service.requests.contains(.stop))
      #expect(await !setup.service.requests.contains(.pause))
      await setup.service.release()
    }
  }
}
