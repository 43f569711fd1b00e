import Brokers
import Fleet
import Foundation
import Glibc
import Host
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
    #expect(
      stopped.output.contains(#""state":{"state":"stopNotDelivered","stop":\#(stop)}"#),
      "\(stopped)"
    )
  }

  /// The stop's child gets the same options.
  @Test func anOfficeMayHaveACertificateAndAnAddress() async throws {
    let broker = try await Broker(tls: Broker.TLS(asksClients: true))
    let options = [
      "--broker=mqtts://office@127.0.0.1:\(broker.port)",
      "--ca=\(try #require(broker.settings().tls?.authority))",
      "--certificate=\(try broker.file("office.pem", BrokerCertificates.client))",
      "--key=\(try broker.file("office.key", BrokerCertificates.key))",
    ]
    let script = #""$1-mqtt" "${@:2}""#
    let status = try await BuiltProgram.run(["status"] + options, script: script)
    #expect(status.errors == "ballmachine mqtt status: \(NoCourt(user: "office"))\n")
    let stop = try await BuiltProgram.run(["stop"] + options + ["court-1"], script: script)
    // It was on the broker, with its user.
    #expect(stop.code == 69 && stop.errors.contains("no box is subscribed to its stop"), "\(stop)")
    #expect(broker.log.contains("u'office'"))
    let without = try await BuiltProgram.run(
      ["stop"] + options.dropLast(2) + ["court-1"],
      script: script
    )
    #expect(without.errors.contains("NOTHING was stopped"), "\(without)")
  }

  @Test func aScriptGetsTheOrderAndTheKindItAsksFor() async throws {
    let broker = try await Broker()
    let party = Party("court", at: broker.settings())
    #expect(await party.isReady())
    for (court, state) in [("court-1", "disarmed"), ("court-2", "live")] {
      for (topic, text) in [
        (CourtTopic.availability, "online"), (.state, #"{"state":"\#(state)","mode":"REAL"}"#),
      ] {
        let message = MQTTMessage(topic.path(of: court), Array(text.utf8), isRetained: true)
        await party.say(message)
      }
    }
    func courts(_ options: String...) async throws -> [String] {
      let result = try await BuiltProgram.run(
        ["status", "--broker", "127.0.0.1:\(broker.port)"] + options,
        script: #""$1-mqtt" "${@:2}""#
      )
      #expect(result.code == 0, "\(result)")
      return result.output.split(separator: "\n").map { line in
        String(line.drop { $0 != "-" }.dropFirst().prefix(1))
      }
    }
    #expect(try await courts("--json") == ["1", "2"])
    #expect(try await courts("--json", "--sort=worst") == ["2", "1"])
    #expect(try await courts().dropFirst() == ["2", "1"])
    #expect(try await courts("--sort=name").dropFirst() == ["1", "2"])
    #expect(try await courts("--json", "--only=live") == ["2"])
    #expect(try await courts("--json", "--only=problems").isEmpty)
  }

  @Test func withoutACourtItEndsWithAnErrorThatSaysWhy() async throws {
    let broker = try await Broker()
    let json = try await run("status", "--json", at: broker.port)
    #expect(json.code == 69, "\(json)")
    #expect(
      json.output.hasPrefix(#"{"code":"noCourt","event":"error","exitStatus":69,"#),
      "\(json)"
    )
    let text = try await run("status", at: broker.port)
    #expect(text.code == 69)
    #expect(text.output.isEmpty)
    #expect(text.errors == "ballmachine mqtt status: \(NoCourt(user: nil))\n")
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

  @Test func aCourtThatTheBrokerDoesNotShowMayHaveTheStop() async throws {
    let broker = try await Broker()
    let court = Party("court", at: broker.settings())
    #expect(await court.isReady(CourtTopic.stop.path(of: "court-1")))
    let end = try await run("stop", "court-1", at: broker.port)
    #expect(end.code == 69, "\(end)")
    #expect(end.errors.hasPrefix(Self.unknown + "the broker shows no court-1: "), "\(end)")
    #expect(await court.hears(CourtTopic.stop.path(of: "court-1")) != nil)
  }

  /// A court's answer is read first for whether the machine was reached. Its advice is for its own box.
  static let answers: [(outcome: String, code: Int32, begin: String)] = [
    ("notDelivered", 69, "court-1: the machine was NOT reached: use the machine's switch"),
    ("unconfirmed", 75, "court-1: it is NOT KNOWN whether the machine was stopped: use the"),
    // Of a later version.
    ("other", 75, "court-1: it is NOT KNOWN whether the machine was stopped: use the"),
  ]

  @Test(arguments: answers)
  func anAnswerBeginsWithWhetherTheMachineWasReached(
    _ outcome: String,
    code: Int32,
    begin: String
  ) async throws {
    let broker = try await Broker()
    let court = Party("court", at: broker.settings())
    #expect(await court.isReady(CourtTopic.stop.path(of: "court-1")))
    try await publish(.availability, "online", by: court)
    async let result = run("stop", "court-1", at: broker.port)
    #expect(await court.hears(CourtTopic.stop.path(of: "court-1")) != nil)
    let answer = #"{"outcome":"\#(outcome)","reason":"no service runs"}"#
    await court.say(MQTTMessage(CourtTopic.outcome.path(of: "court-1"), Array(answer.utf8)))
    let end = try await result
    #expect(end.code == code)
    #expect(end.errors.hasPrefix("ballmachine mqtt stop: \(begin)"), "\(end)")
    #expect(end.errors.hasSuffix("its box says: no service runs\n"), "\(end)")
  }

  private static let nothing =
    "ballmachine mqtt stop: NOTHING was stopped: use the machine's switch if it moves; "
  private static let unknown =
    "ballmachine mqtt stop: it is NOT KNOWN whether the machine was stopped: "
    + "use the machine's switch if it moves; "

  /// Of MQTT: CONNECT, before which nothing is sent, and PUBLISH.
  static let packets: [(kind: UInt8, begin: String)] = [(0x10, nothing), (0x30, unknown)]

  /// As when the MQTT library aborts, before the stop is sent and after it: where a toolchain is, Swift's own
  /// handler would take that signal.
  @Test(arguments: packets)
  func anAbortOfTheLibraryIsTold(_ packet: UInt8, begin: String) async throws {
    let ended = Locked(false)
    let port = Locked(0)
    let broker = try FakeBroker { bytes in
      if bytes[0] & 0xF0 == packet {
        ended.withLock { $0 = signalWorker(at: port.withLock(\.self), SIGKILL) }
      }
      return .bytes(bytes[0] & 0xF0 == 0x10 && packet != 0x10 ? FakeBroker.connected : [])
    }
    port.withLock { $0 = broker.port }
    let end = try await run("stop", "court-1", at: broker.port)
    #expect(ended.withLock { $0 })
    #expect(end.code == 75, "\(end)")
    #expect(
      end.errors == begin + "what talks to the broker was ended by signal 9\n",
      "\(end)"
    )
  }

  @Test(arguments: packets)
  func aStopThatIsInterruptedSaysWhatIsKnown(_ packet: UInt8, begin: String) async throws {
    let stopping = Locked<RunningProgram?>(nil)
    let broker = try FakeBroker { bytes in
      // On the broker's thread: the stop has only some seconds until its own end.
      if bytes[0] & 0xF0 == packet {
        stopping.withLock { $0?.send(signal: packet == 0x10 ? SIGINT : SIGTERM) }
      }
      return .bytes(bytes[0] & 0xF0 == 0x10 && packet != 0x10 ? FakeBroker.connected : [])
    }
    // Nothing is signalled before it is known which program to signal.
    let stop = try stopping.withLock { stopping in
      let start = Result {
        try RunningProgram(["mqtt", "stop", "court-1", "--broker", "127.0.0.1:\(broker.port)"])
      }
      stopping = try? start.get()
      return start
    }.get()
    let end = await stop.result()
    #expect(end.code == 75, "\(end)")
    #expect(end.errors == begin + "interrupted\n", "\(end)")
    #expect(!signalWorker(at: broker.port, 0), "the child lives on")
  }

  static let unsent: [(options: [String], code: Int32)] = [
    (["--broker", "127.0.0.1:1", "--user", "a", "--password-file", "/proc/none"], 66),
    (["--broker", "127.0.0.1:1", "--ca", "/proc/none"], 71),
    (["--broker", "127.0.0.1:1"], 69),
    (["--config", "/proc/none"], 78),
    (["--config", "/dev/null"], 64),
  ]

  @Test(arguments: unsent)
  func whatNeverLeavesSaysSoFirst(_ options: [String], code: Int32) async throws {
    let end = try await BuiltProgram.run(
      ["stop", "court-1"] + options,
      script: #""$1-mqtt" "${@:2}""#
    )
    #expect(end.code == code, "\(end)")
    #expect(end.errors.hasPrefix(Self.nothing), "\(end)")
  }

  @Test func withoutABrokerToAskItSaysWhatToGive() async throws {
    let result = try await BuiltProgram.run(
      ["status", "--config", "/dev/null"],
      script: #""$1-mqtt" "${@:2}""#
    )
    #expect(result.code == 64)
    #expect(result.errors.contains("give --broker HOST[:PORT]"))
  }

  @Test func aPasswordNeedsAUser() async throws {
    let options = ["status", "--broker", "127.0.0.1:1", "--password-file", "/proc/none"]
    let result = try await BuiltProgram.run(options, script: #""$1-mqtt" "${@:2}""#)
    #expect(result.code == 64 && result.errors.contains("give --user NAME"), "\(result)")
  }
}

/// Signals the child that talks to the broker at this port.
///
/// - Returns: whether there is one.
private func signalWorker(at port: Int, _ signal: Int32) -> Bool {
  let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
  for process in processes.compactMap({ pid_t($0) }) {
    let words = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
    guard words.contains("stop-worker"), words.contains(":\(port)\0") else { continue }
    return kill(process, signal) == 0
  }
  return false
}
