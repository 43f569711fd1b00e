import Brokers
import Fleet
import Foundation
import Glibc
import Host
import JSON
import TestSupport
import Testing

/// The built program at the real broker.
@Suite(.mustEnd)
struct BrokerProgramTests {
  static let court = "court-1"

  /// A box with a state of its own.
  struct Box {
    let folder: TemporaryDirectory

    init(at broker: Broker) throws { try self.init(port: broker.port) }

    init(port: Int) throws {
      folder = try TemporaryDirectory()
      let host = "broker: {host: 127.0.0.1, port: \(port)}"
      _ = try folder.write("\(host)\nfleet: {court: \(court)}\n", to: "mqtt.yaml")
    }

    /// As the user `court-1`, whose password is `secret`.
    ///
    /// - Parameter version: of MQTT; nil: as the program chooses.
    init(asItsUserAt broker: Broker, version: String? = nil) throws {
      try self.init(at: broker)
      _ = try folder.write("secret", to: "password")
      chmod(folder("password"), 0o600)
      let user = "127.0.0.1, user: court-1, password-file: password,"
      _ = try folder.write(
        try configuration()
          .replacing("127.0.0.1,", with: user + (version.map { " protocol: \($0)," } ?? "")),
        to: "mqtt.yaml"
      )
    }

    func start(_ arguments: [String]) throws -> RunningProgram {
      try RunningProgram(
        ["mqtt"] + arguments + ["--config", folder("mqtt.yaml")],
        environment: [
          "BALLMACHINE_MQTT_DIR": folder.path, "BALLMACHINE_RUNTIME_DIR": folder.path,
          "BALLMACHINE_STATE_DIRECTORY": folder.path,
        ]
      )
    }

    func configuration() throws -> String {
      try String(contentsOfFile: folder("mqtt.yaml"), encoding: .utf8)
    }

    func run(_ arguments: String...) async throws -> BuiltProgram.Result {
      let program = try start(arguments)
      program.endInput()
      return await program.result()
    }
  }

  /// Waits for this message, and skips others.
  func await(_ topic: CourtTopic, _ text: String? = nil, at party: Party) async -> Bool {
    while let event = await party.next() {
      guard case .message(let message) = event, message.topic == topic.path(of: Self.court) else {
        continue
      }
      if text == nil || message.payload == text.map({ Array($0.utf8) }) { return true }
    }
    return false
  }

  /// A box whose court an office sees online.
  func online(at broker: Broker) async throws -> (Party, Box, RunningProgram) {
    let office = Party("office", at: broker.settings())
    try #require(await office.isReady("ballmachine/#"))
    let box = try Box(at: broker)
    let service = try box.start(["run"])
    #expect(await self.await(.availability, "online", at: office))
    return (office, box, service)
  }

  /// - Parameter certificate: in own.pem, with the key that belongs to it.
  private func boxWithCertificate(_ certificate: String, at broker: Broker) throws -> Box {
    let box = try Box(at: broker)
    _ = try box.folder.write(BrokerCertificates.authority, to: "authority.pem")
    _ = try box.folder.write(BrokerCertificates.key, to: "key.pem")
    _ = try box.folder.write(certificate, to: "own.pem")
    _ = try box.folder.write(
      try box.configuration()
        + "tls: {ca: authority.pem, certificate: own.pem, key: key.pem}\n",
      to: "mqtt.yaml"
    )
    return box
  }

  func codes(_ result: BuiltProgram.Result) -> [String] {
    result.lines.compactMap { (try? JSONValue(text: Array($0.utf8)))?["code"]?.string }
  }

  @Test func aLockThatCantBeMadeKeepsNoCourtFromTheOffice() async throws {
    let broker = try await Broker()
    let (_, box, service) = try await online(at: broker)
    service.send(signal: SIGTERM)
    #expect(await service.result().code == 0)
    let lock = box.folder("lock")
    try #require(unlink(lock) == 0 && mkdir(lock, 0o755) == 0)
    let office = Party("office-2", at: broker.settings())
    try #require(await office.isReady("ballmachine/#"))
    let unlocked = try box.start(["run"])
    #expect(await self.await(.availability, "online", at: office))
    unlocked.send(signal: SIGTERM)
    let end = await unlocked.result()
    #expect(end.code == 0)
    #expect(end.errors.contains("a second one is not kept from running here"), "\(end.errors)")
  }

  @Test func aCourtComesAndGoesAndIsForgotten() async throws {
    let broker = try await Broker()
    let box = try Box(at: broker)
    #expect(codes(try await box.run("doctor", "--json")).contains("mqtt.offline"))

    let office = Party("office", at: broker.settings())
    try #require(await office.isReady("ballmachine/#"))
    let service = try box.start(["run"])
    #expect(await self.await(.availability, "online", at: office))
    let doctor = try await box.run("doctor", "--json")
    #expect(codes(doctor).contains("mqtt.online") && doctor.output.contains(" of this box is"))
    let early = try await box.run("--forget")
    #expect(early.code == 69 && early.errors.contains("is online"), "\(early)")
    // A second one would take the first one's connection, and the first one its.
    let second = try await box.run("run")
    #expect(second.code == 75, "\(second)")
    #expect(second.errors.contains("already runs here, process \(service.processID): "))

    service.send(signal: SIGTERM)
    #expect(await self.await(.availability, "offline", at: office))
    #expect(await service.result().code == 0)
    // It has another name now.
    _ = try box.folder.write(
      try box.configuration().replacing(Self.court, with: "court-9"),
      to: "mqtt.yaml"
    )
    let unknown = try await box.run("--forget")
    #expect(unknown.code == 69 && unknown.errors.contains("knew no court-9"), "\(unknown)")
    let forget = try await box.run("--forget", Self.court)
    #expect(forget.code == 0 && forget.errors.isEmpty, "\(forget)")
    #expect(forget.output.contains("has forgotten court-1"))
    // The broker keeps nothing more: what comes first is what is published after that.
    let late = Party("late", at: broker.settings())
    try #require(await late.isReady("#"))
    let message = MQTTMessage("x", [1])
    _ = await late.connection.publish(message)
    #expect(await late.next() == .message(message))
  }

  /// The broker has not heard of its box's end.
  @Test func aCourtWhoseBoxIsGoneIsForgottenThoughTheBrokerCallsItOnline() async throws {
    let broker = try await Broker()
    let office = Party("office", at: broker.settings())
    try #require(await office.isReady())
    let availability = CourtTopic.availability.path(of: Self.court)
    await office.say(MQTTMessage(availability, Array("online".utf8), isRetained: true))
    let box = try Box(at: broker)
    let early = try await box.run("--forget")
    #expect(early.code == 69 && early.errors.contains("--box-is-gone"), "\(early)")
    let forget = try await box.run("--forget", "--box-is-gone")
    #expect(forget.code == 0 && forget.output.contains("has forgotten court-1"), "\(forget)")
    #expect(try await FollowedCourts(broker.settings()).once().rows.isEmpty)
  }

  /// A person was wrong.
  @Test func aBoxThatIsThereKeepsItsCourtAndSaysAllAgain() async throws {
    let broker = try await Broker()
    let (_, box, service) = try await online(at: broker)
    let forget = try await box.run("--forget", "--box-is-gone")
    #expect(forget.code == 69 && forget.errors.contains("is NOT forgotten"), "\(forget)")
    let late = Party("late", at: broker.settings())
    try #require(await late.isReady("#"))
    // What there is without a bridge.
    let kept: [CourtTopic] = [.availability, .state, .link, .drill, .version, .box]
    let device = "homeassistant/device/ballmachine/court-1/config"
    #expect(await late.hearsAll(Set(kept.map { $0.path(of: Self.court) } + [device])))
    service.send(signal: SIGTERM)
    #expect(await service.result().code == 0)
  }

  @Test func theDoctorNamesAnotherBoxOfTheSameCourt() async throws {
    let broker = try await Broker()
    let (_, box, service) = try await online(at: broker)
    defer { withExtendedLifetime(box) {} }
    let other = try Box(at: broker)
    let id = String(repeating: "a", count: 32)
    _ = try other.folder.write(id, to: "box")
    let doctor = try await other.run("doctor", "--json")
    #expect(codes(doctor).contains("mqtt.taken") && doctor.output.contains(id), "\(doctor)")
    service.send(signal: SIGTERM)
    #expect(await service.result().code == 0)
  }

  @Test func theDoctorLooksAtTheBoxsOwnCertificate() async throws {
    let broker = try await Broker(tls: Broker.TLS(asksClients: true))
    let box = try boxWithCertificate(BrokerCertificates.client, at: broker)
    for (certificate, code) in [
      (BrokerCertificates.client, "mqtt.certificateValid"),
      (BrokerCertificates.expired, "mqtt.certificateExpired"),
      (TestCertificate.certificate, "mqtt.certificate"),
    ] {
      _ = try box.folder.write(certificate, to: "own.pem")
      let doctor = try await box.run("doctor", "--json")
      #expect(codes(doctor).contains(code), "\(doctor)")
      #expect(!doctor.output.contains("is open to everyone"), "\(doctor)")
    }
  }

  @Test(arguments: [true, false])
  func theDoctorSaysWhoABrokerLetsIn(_ asksClients: Bool) async throws {
    let broker = try await Broker(tls: Broker.TLS(asksClients: asksClients))
    let box = try boxWithCertificate(BrokerCertificates.client, at: broker)
    let doctor = try await box.run("doctor")
    let text = asksClients ? "lets this box's certificate in" : "is open to everyone"
    #expect(doctor.output.contains(text), "\(doctor)")
  }

  /// A SUBACK of 3.1.1: each topic has its length before it and its QoS behind it.
  private static func granted(_ packet: [UInt8]) -> [UInt8] {
    var rest = packet.dropFirst(4)
    var count: UInt8 = 0
    while rest.count > 2, let high = rest.popFirst(), let low = rest.popFirst() {
      rest = rest.dropFirst(Int(high) << 8 + Int(low) + 1)
      count += 1
    }
    return [0x90, 2 + count, packet[2], packet[3]] + Array(repeating: 1, count: Int(count))
  }

  /// - Parameter yaml: of the broker's host and port.
  private func doctor(_ yaml: String, files: [String: String] = [:]) async throws -> [JSONValue] {
    let box = try Box(port: 1)
    for (name, text) in files { _ = try box.folder.write(text, to: name) }
    _ = try box.folder.write("\(yaml)\nfleet: {court: \(Self.court)}\n", to: "mqtt.yaml")
    return try await box.run("doctor", "--json").lines.map { try JSONValue(text: Array($0.utf8)) }
  }

  private func text(_ code: String, in findings: [JSONValue]) -> String? {
    findings.first { $0["code"]?.string == code }?["text"]?.string
  }

  @Test(arguments: [
    (BrokerCertificates.selfSigned, false), (BrokerCertificates.addressAsName, true),
    (BrokerCertificates.addressInCN, true),
  ])
  func theDoctorWarnsOfACertificateThatOthersRefuse(
    _ certificate: String,
    isOld: Bool
  ) async throws {
    let broker = try await Broker(tls: Broker.TLS(certificate: certificate))
    let found = try await doctor(
      "broker: {host: 127.0.0.1, port: \(broker.port)}\ntls: {ca: ca.pem}",
      files: ["ca.pem": certificate]
    )
    #expect(text("mqtt.broker", in: found) != nil, "\(found)")
    #expect((text("mqtt.certificateName", in: found) != nil) == isOld, "\(found)")
    let remedy = found.first { $0["code"]?.string == "mqtt.certificateName" }?["remedy"]?.string
    #expect(!isOld || remedy?.contains("subjectAltName=IP:127.0.0.1'") == true, "\(found)")
  }

  @Test(arguments: ["", ", protocol: 3.1.1", ", protocol: 5"])
  func theDoctorSaysThatABrokerSpeaks311Alone(_ pinned: String) async throws {
    let broker = try FakeBroker { packet in
      switch packet[0] >> 4 {
      case 1: .bytes(packet[8] == 5 ? [] : FakeBroker.connectedTo311)
      // The doctor asks for three topics, and then for one.
      case 8: .bytes(Self.granted(packet))
      default: .bytes([])
      }
    }
    let found = try await doctor("broker: {host: 127.0.0.1, port: \(broker.port)\(pinned)}")
    let silent = found.first { $0["code"]?.string == "mqtt.silent" }
    #expect(silent?["remedy"]?.string?.contains("needs tls") != true, "\(found)")
    guard !pinned.hasSuffix("5") else {
      #expect(silent?["remedy"]?.string?.contains("broker.protocol") == true, "\(found)")
      return
    }
    #expect(text("mqtt.broker", in: found)?.contains("speaks MQTT 3.1.1: it") == true, "\(found)")
  }

  /// A person mends the file; nothing is restarted.
  @Test func aMendedPasswordPutsTheCourtOnTheBroker() async throws {
    let broker = try await Broker(users: [Self.court: "secret", "office": "office"])
    let office = Party("office", at: broker.settings(user: "office", password: "office"))
    try #require(await office.isReady("ballmachine/#"))
    let box = try Box(at: broker)
    let user = "user: \(Self.court), password-file: password"
    _ = try box.folder.write(
      "broker: {host: 127.0.0.1, port: \(broker.port), \(user)}\nfleet: {court: \(Self.court)}\n",
      to: "mqtt.yaml"
    )
    chmod(try box.folder.write("wrong", to: "password"), 0o600)
    let service = try box.start(["run"])
    #expect(await broker.hasLogged("not authorised"))
    _ = try box.folder.write("secret\n", to: "new")
    chmod(box.folder("new"), 0o600)
    #expect(rename(box.folder("new"), box.folder("password")) == 0)
    #expect(await self.await(.availability, "online", at: office))
    service.send(signal: SIGTERM)
    #expect(await service.result().code == 0)
  }

  /// The broker has lost whose court it is, and the refused box starts first.
  @Test func aRefusedBoxThatStartsAgainLeavesTheCourtToItsOwner() async throws {
    let broker = try await Broker()
    let (_, owner, service) = try await online(at: broker)
    let box = try Box(at: broker)
    let refused = try box.start(["run"])
    while access(box.folder("refused"), F_OK) != 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    for program in [service, refused] {
      program.send(signal: SIGKILL)
      _ = await program.result()
    }
    await broker.end()
    try await broker.restart()
    let again = try box.start(["run"])
    let id = try String(contentsOfFile: box.folder("box"), encoding: .utf8).prefix(2)
    #expect(await broker.hasLogged("Received SUBSCRIBE from ballmachine-court-1-\(id)"))
    let back = try owner.start(["run"])
    let office = Party("office", at: broker.settings())
    try #require(await office.isReady("ballmachine/#"))
    let ownID = try String(contentsOfFile: owner.folder("box"), encoding: .utf8).prefix(32)
    #expect(await self.await(.box, #"{"box":"\#(ownID)"}"#, at: office))
    #expect(await self.await(.availability, "online", at: office))
    for program in [again, back] { program.send(signal: SIGTERM) }
    let errors = await again.result().errors
    #expect(errors.contains("does not know whose court-1 is"), "\(errors)")
    #expect(await back.result().code == 0)
  }

  @Test func aStopWithoutABridgeIsNotDelivered() async throws {
    let broker = try await Broker()
    let (office, box, service) = try await online(at: broker)
    defer { withExtendedLifetime(box) {} }
    _ = await office.connection.publish(MQTTMessage("ballmachine/court-1/stop", []))
    while case .message(let message)? = await office.next() {
      guard message.topic.hasSuffix("/outcome") else { continue }
      #expect(try JSONValue(text: message.payload)["outcome"]?.string == "notDelivered")
      break
    }
    service.send(signal: SIGTERM)
    #expect(await service.result().code == 0)
  }

  @Test func aCourtThatIsTakenOnceMoreIsSaidOnceMore() async throws {
    let broker = try await Broker()
    let (office, box, service) = try await online(at: broker)
    defer { withExtendedLifetime(box) {} }
    let connection = office.connection
    let owner = CourtTopic.box.path(of: Self.court)
    let other = MQTTMessage(owner, Array(#"{"box":"f00"}"#.utf8), isRetained: true)
    for _ in 1...2 {
      _ = await connection.publish(other)
      // The round before may have left another `online`.
      #expect(await self.await(.availability, "offline", at: office))
      // The box is not connected all the time.
      let removal = Task {
        while (try? await Task.sleep(for: .milliseconds(200))) != nil {
          // As --forget does.
          for topic in [CourtTopic.availability.path(of: Self.court), owner] {
            _ = await connection.publish(MQTTMessage(topic, [], isRetained: true))
          }
        }
      }
      #expect(await self.await(.availability, "online", at: office))
      removal.cancel()
      await removal.value
    }
    service.send(signal: SIGTERM)
    let errors = await service.result().errors
    #expect(errors.split(separator: "\n").count { $0.contains("is another box's") } == 2)
  }

  @Test func aCourtThatIsNotForgottenIsNotCalledSo() async throws {
    // It takes 45 bytes: too few for the first topic.
    let broker = try FakeBroker { packet in
      switch packet[0] >> 4 {
      case 1: .bytes([0x20, 8, 0, 0, 5, 0x27, 0, 0, 0, 45])
      case 8: .bytes([0x90, 4, packet[2], packet[3], 0, 1])
      default: .bytes([])
      }
    }
    let forget = try await Box(port: broker.port).run("--forget")
    #expect(forget.code == 69 && forget.errors.contains("takes 45 bytes"), "\(forget)")
  }

  /// The bridge stands still, and the broker keeps what an earlier run has said of it.
  @Test func aStateOfAnEarlierRunIsNotThePresentOne() async throws {
    let broker = try await Broker()
    let office = Party("office", at: broker.settings())
    try #require(await office.isReady("ballmachine/#"))
    let state = CourtTopic.state.path(of: Self.court)
    await office.say(MQTTMessage(state, Array(#"{"state":"stopped"}"#.utf8), isRetained: true))
    let box = try Box(at: broker)
    let bridge = try ListeningSocket(path: box.folder("control.sock"))
    let service = try box.start(["run"])
    var said: String?
    while case .message(let message)? = await office.next() {
      if message.topic == CourtTopic.availability.path(of: Self.court) { break }
      if message.topic == state { said = String(decoding: message.payload, as: UTF8.self) }
    }
    #expect(said?.contains("noService") == true, "\(said ?? "")")
    withExtendedLifetime(bridge) {}
    service.send(signal: SIGTERM)
    #expect(await service.result().code == 0)
  }

  // MARK: Unfinished runs

  @Test func runsThatAreCutOffMakeTheNextOneWait() async throws {
    let broker = try await Broker()
    let box = try Box(at: broker)
    let count = box.folder("unfinished-runs")
    func kept() -> String? { try? String(contentsOfFile: count, encoding: .utf8) }
    let office = Party("office", at: broker.settings())
    try #require(await office.isReady("ballmachine/#"))
    for number in 1...2 {
      let run = try box.start(["run"])
      #expect(await self.await(.availability, "online", at: office))
      #expect(kept() == "\(number)")
      run.send(signal: SIGKILL)
      _ = await run.result()
    }
    let third = try box.start(["run"])
    while kept() != "3" { try await Task.sleep(for: .milliseconds(10)) }
    third.send(signal: SIGTERM)
    let end = await third.result()
    #expect(end.code == 0, "\(end)")
    #expect(end.errors.contains("the last 2 runs were ended by an abort"), "\(end)")
    #expect(end.errors.contains("on the broker in 5 s"), "\(end)")
    #expect(kept() == nil)
  }
}
