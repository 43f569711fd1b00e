import Brokers
import Fleet
import Glibc
import TestSupport
import Testing

/// Boxes that may not have a court, and what the doctor says of the broker.
extension BrokerProgramTests {
  /// A broker that has lost its messages, and a box that was refused before.
  @Test func aCourtThatIsForgottenIsTakenAtOnce() async throws {
    let broker = try await Broker()
    let box = try Box(at: broker)
    _ = try box.folder.write(Self.court, to: "refused")
    let office = Party("office", at: broker.settings())
    try #require(await office.isReady("ballmachine/#"))
    let service = try box.start(["run"])
    #expect(await broker.hasLogged("court-1/availability (QoS"))
    let waiting = try await box.run("doctor", "--json")
    #expect(codes(waiting).contains("mqtt.waiting") && waiting.output.contains("120 s at most"))
    let forget = try await box.run("--forget")
    #expect(forget.code == 0 && forget.output.contains("has forgotten court-1"), "\(forget)")
    #expect(await self.await(.availability, "online", at: office))
    #expect(codes(try await box.run("doctor", "--json")).contains("mqtt.online"))
    #expect(access(box.folder("refused"), F_OK) != 0 && access(box.folder("owned"), F_OK) == 0)
    service.send(signal: SIGTERM)
    #expect(await service.result().code == 0)
    // Without a service there is nothing to wait for any more, either.
    _ = try box.folder.write(Self.court, to: "refused")
    #expect(try await box.run("--forget").code == 0)
    #expect(access(box.folder("refused"), F_OK) != 0)
    let empty = try await box.run("--forget")
    #expect(empty.code == 69 && empty.errors.contains("knew no court-1"), "\(empty)")
  }

  /// The steps of the error, on the second box, while the first one is there and when it is gone.
  @Test func theErrorsOfARefusedBoxSayHowItGetsTheCourt() async throws {
    let broker = try await Broker()
    let (office, owner, service) = try await online(at: broker)
    defer { withExtendedLifetime(owner) {} }
    let box = try Box(at: broker)
    let refused = try box.start(["run"])
    while access(box.folder("refused"), F_OK) != 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    let early = try await box.run("--forget")
    #expect(early.code == 69 && early.errors.contains("systemctl stop"), "\(early)")
    let wrong = try await box.run("--forget", "--box-is-gone")
    #expect(wrong.code == 69 && wrong.errors.contains("is NOT forgotten"), "\(wrong)")
    service.send(signal: SIGTERM)
    #expect(await service.result().code == 0)
    #expect(await self.await(.availability, "offline", at: office))
    #expect(try await box.run("--forget").code == 0)
    #expect(await self.await(.availability, "online", at: office))
    refused.send(signal: SIGTERM)
    let end = await refused.result()
    #expect(end.code == 0 && end.errors.contains("run `ballmachine mqtt --forget'"), "\(end)")
  }

  @Test func aMessageThatNamesNoBoxIsTold() async throws {
    let broker = try await Broker()
    let office = Party("office", at: broker.settings())
    try #require(await office.isReady("ballmachine/#"))
    let claim = CourtTopic.box.path(of: Self.court)
    await office.say(MQTTMessage(claim, [1], isRetained: true))
    let box = try Box(at: broker)
    let service = try box.start(["run"])
    while access(box.folder("refused"), F_OK) != 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(codes(try await box.run("doctor", "--json")).contains("mqtt.unreadable"))
    #expect(try await box.run("--forget").code == 0)
    #expect(await self.await(.availability, "online", at: office))
    service.send(signal: SIGTERM)
    let errors = await service.result().errors
    #expect(errors.contains("whose court-1 is can't be read"), "\(errors)")
  }

  /// Anyone may write `box` on a broker without an access list, as often as they like.
  @Test func aFloodThatNamesNoBoxIsToldOnce() async throws {
    let broker = try await Broker()
    let (office, _, service) = try await online(at: broker)
    for _ in 0..<3 {
      await office.say(MQTTMessage(CourtTopic.box.path(of: Self.court), [1], isRetained: true))
      #expect(await self.await(.box, "\u{1}", at: office))
      #expect(await self.await(.box, at: office))
    }
    service.send(signal: SIGTERM)
    let errors = await service.result().errors
    #expect(errors.split(separator: "this box replaces it").count == 2, "\(errors)")
  }

  // MARK: What a broker must do

  @Test func theDoctorTriesWhatABrokerMustDo() async throws {
    let broker = try await Broker()
    let (_, box, service) = try await online(at: broker)
    let good = try await box.run("doctor", "--json")
    #expect(codes(good).contains("mqtt.able") && !codes(good).contains("mqtt.untested"), "\(good)")
    let able =
      "keeps messages, gives them to subscribers with wildcards, takes a court's longest message, "
    #expect(good.output.contains(able + "and says when a connection is lost"), "\(good)")
    service.send(signal: SIGTERM)
    #expect(await service.result().code == 0)
    // It leaves nothing behind.
    let late = Party("late", at: broker.settings())
    try #require(await late.isReady("ballmachine/court-1/doctor"))
    let mark = MQTTMessage("ballmachine/court-1/doctor", [1])
    _ = await late.connection.publish(mark)
    #expect(await late.next() == .message(mark))
  }

  @Test func theDoctorSaysWhatABrokerLacks() async throws {
    let broker = try await Broker(
      settings: ["retain_available false", "max_qos 0", "max_packet_size 1000"]
    )
    let doctor = try await Box(at: broker).run("doctor", "--json")
    for code in ["mqtt.keepsNothing", "mqtt.quality", "mqtt.shortPackets", "mqtt.unseen"] {
      #expect(codes(doctor).contains(code), "\(doctor)")
    }
    #expect(doctor.code == 69)
  }

  /// With MQTT 3.1.1 a broker doesn't say how long a packet may be.
  @Test func theDoctorSaysThatABrokerEndsConnections() async throws {
    let broker = try await Broker(settings: ["max_packet_size 2000"])
    let box = try Box(at: broker)
    _ = try box.folder.write(
      try box.configuration().replacing("127.0.0.1,", with: "127.0.0.1, protocol: 3.1.1,"),
      to: "mqtt.yaml"
    )
    let doctor = try await box.run("doctor", "--json")
    #expect(codes(doctor).contains("mqtt.endsConnections") && doctor.code == 69, "\(doctor)")
    #expect(!doctor.output.contains("access list lets no message"), "\(doctor)")
  }

  /// Its silence on MQTT 5 uses up a part of the time that the trial has.
  @Test func aSlowBrokerIsNotSaidToEndConnections() async throws {
    let broker = try FakeBroker { packet in
      switch packet[0] >> 4 {
      case 1: .bytes(packet[8] == 5 ? [] : FakeBroker.connectedTo311)
      case 8: .bytes([0x90, 3, packet[2], packet[3], 0])
      default: .bytes([])
      }
    }
    let doctor = try await Box(port: broker.port).run("doctor", "--json")
    #expect(!codes(doctor).contains("mqtt.endsConnections"), "\(doctor)")
    #expect(
      doctor.output.contains("no message on ballmachine/court-1/doctor comes back"),
      "\(doctor)"
    )
  }

  /// What other software keeps below another root is no court's.
  @Test func anotherRootsBoxIsNoAnswerToTheWildcard() async throws {
    @Sendable func kept(_ topic: String) -> [UInt8] {
      let body =
        [0, UInt8(topic.utf8.count)] + Array(topic.utf8) + [0] + Array(#"{"box":"b"}"#.utf8)
      return [0x31, UInt8(body.count)] + body
    }
    let broker = try FakeBroker { packet in
      switch packet[0] >> 4 {
      case 1: return .bytes(FakeBroker.connected)
      case 8:
        let text = String(decoding: packet, as: UTF8.self)
        let grant = [0x90, 4, packet[2], packet[3], 0, 1]
        let topic = text.contains("+/court-1/box") ? "x/court-1/box" : "ballmachine/court-1/box"
        return .bytes(grant + (text.contains("court-1/box") ? kept(topic) : []))
      default: return .bytes([])
      }
    }
    let doctor = try await Box(port: broker.port).run("doctor", "--json")
    #expect(codes(doctor).contains("mqtt.wildcards"), "\(doctor)")
  }

  @Test func theDoctorSaysWhatItCouldNotTry() async throws {
    let broker = try await Broker(
      users: ["court-1": "secret"],
      accessList: "user court-1\ntopic read ballmachine/court-1/box\n"
    )
    let box = try Box(asItsUserAt: broker)
    let doctor = try await box.run("doctor", "--json")
    #expect(codes(doctor).contains("mqtt.untested"), "\(doctor)")
    #expect(
      doctor.output.contains("no message on ballmachine/court-1/doctor comes back"),
      "\(doctor)"
    )
  }

  /// A broker of MQTT 3.1.1 drops without a word what a user may not do.
  @Test(arguments: ["5", "3.1.1"])
  func whatAUserMayNotForgetIsNotForgotten(_ version: String) async throws {
    let broker = try await Broker(
      users: ["court-1": "secret", "owner": "secret"],
      accessList: "user owner\ntopic ballmachine/#\nuser court-1\ntopic read ballmachine/#\n"
    )
    let owner = Party("owner", at: broker.settings(user: "owner", password: "secret"))
    #expect(await owner.isReady())
    for (topic, text) in [(CourtTopic.availability, "offline"), (.box, #"{"box":"f00"}"#)] {
      await owner.say(
        MQTTMessage(topic.path(of: "court-1"), Array(text.utf8), isRetained: true)
      )
    }
    let box = try Box(asItsUserAt: broker, version: version)
    let forget = try await box.run("--forget")
    #expect(forget.code == 69 && forget.output.isEmpty, "\(forget)")
    #expect(forget.errors.contains("court-1 is NOT forgotten"), "\(forget)")
  }

  /// It passes messages on, and forgets wills and what it is to keep.
  @Test func theDoctorMissesWills() async throws {
    let broker = try FakeBroker { packet in
      switch packet[0] >> 4 {
      case 1: return .bytes(FakeBroker.connected)
      case 3:
        // A length of two bytes; the topic; the number.
        let end = 5 + Int(packet[4])
        let rest = packet[3..<end] + packet[(end + 2)...]
        let length = rest.count
        let echo = [0x30, UInt8(length & 0x7F | 0x80), UInt8(length >> 7)] + rest
        return .bytes([0x40, 2, packet[end], packet[end + 1]] + echo)
      case 8: return .bytes([0x90, 4, packet[2], packet[3], 0, 1])
      default: return .bytes([])
      }
    }
    let doctor = try await Box(port: broker.port).run("doctor", "--json")
    #expect(codes(doctor).contains("mqtt.will"), "\(doctor)")
  }
}
