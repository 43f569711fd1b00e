import Brokers
import Fleet
import Host
import TestSupport
import Testing

/// What brokers may answer but Debian's doesn't, and what none should.
@Suite(.mustEnd) struct MQTTBytesTests {
  /// A kind of packets: the first four bits of each.
  private enum Kind { static let connect: UInt8 = 1, publish: UInt8 = 3, subscribe: UInt8 = 8 }

  private func settings(_ broker: FakeBroker) -> BrokerSettings {
    BrokerSettings(host: "127.0.0.1", port: broker.port)
  }

  /// - Parameter refusal: of MQTT 5.
  @Test(arguments: [
    FakeBroker.Answer.last([0x20, 2, 0, 1]), .last([0x20, 3, 0, 0x84, 0]), .last([]),
  ])
  func without5ThereIs311(_ refusal: FakeBroker.Answer) async throws {
    let broker = try FakeBroker { packet in
      switch packet[0] >> 4 {
      case Kind.connect: packet[8] == 5 ? refusal : .bytes(FakeBroker.connectedTo311)
      case Kind.subscribe: .bytes([0x90, 3, packet[2], packet[3], 1])
      // Its number is behind the topic "court/state".
      case Kind.publish: .bytes([0x40, 2, packet[15], packet[16]] + packet)
      default: .bytes([])
      }
    }
    let court = Party("court", at: settings(broker))
    #expect(await court.isReady("court/state"))
    let message = MQTTMessage("court/state", Array("{}".utf8))
    let number = try #require(await court.connection.publish(message))
    #expect(await court.next() == .published(number))
    #expect(await court.next() == .message(message))
  }

  /// A broker that knows 3.1.1 alone may say nothing to 5.
  @Test func whatWorkedTwiceIsTriedFirst() async throws {
    let versions = Locked<[UInt8]>([])
    let broker = try FakeBroker { packet in
      guard packet[0] >> 4 == Kind.connect else { return .bytes([]) }
      versions.withLock { $0.append(packet[8]) }
      return .bytes(packet[8] == 5 ? [] : FakeBroker.connectedTo311)
    }
    let memory = BrokerMemory()
    for _ in 1...3 {
      let court = Party(
        "court",
        at: settings(broker),
        timeToAnswer: .milliseconds(400),
        memory: memory
      )
      #expect(await court.next() == .connected(MQTTGrants()))
    }
    #expect(versions.withLock(\.self) == [5, 4, 5, 4, 4] && memory.version == .v311)
  }

  @Test func whatWorkedLastMayEnd() async throws {
    let memory = BrokerMemory()
    for version: UInt8 in [4, 4, 5, 4] {
      let broker = try FakeBroker { packet in
        guard packet[0] >> 4 == Kind.connect else { return .bytes([]) }
        guard packet[8] == version else { return .last([0x20, 2, 0, 1]) }
        return .bytes(version == 5 ? FakeBroker.connected : FakeBroker.connectedTo311)
      }
      let court = Party("court", at: settings(broker), memory: memory)
      #expect(await court.next() == .connected(MQTTGrants()))
      #expect(memory.version == (version == 5 ? .v5 : .v311))
    }
  }

  @Test(arguments: MQTTVersion.allCases)
  func theOnlyVersionIsTheOnlyOneThatIsSpoken(_ version: MQTTVersion) async throws {
    let versions = Locked<[UInt8]>([])
    let broker = try FakeBroker { packet in
      versions.withLock { $0.append(packet[8]) }
      return .last([0x20, 2, 0, 1])
    }
    var settings = settings(broker)
    settings.version = version
    #expect(await Party("court", at: settings).end()?.code == .strange)
    #expect(versions.withLock(\.self) == [version == .v5 ? 5 : 4])
  }

  /// A broker that does not come to TLS at all has not been asked for a version.
  @Test func slowTLSIsNoReasonForAnotherVersion() async throws {
    let listener = try LocalListener()
    var settings = BrokerSettings(host: "127.0.0.1", port: listener.port)
    settings.tls = BrokerSettings.TLS()
    let court = Party("court", at: settings, timeToAnswer: .milliseconds(200))
    #expect(await court.end()?.code == .silent)
    #expect(try listener.countOfClients() == 1)
  }

  @Test(arguments: [
    (UInt8(4), MQTTFailure.Code.refused), (5, .refused), (2, .refused), (3, .busy), (99, .strange),
  ])
  func refusalsOf311HaveTheirCodes(_ code: UInt8, _ expected: MQTTFailure.Code) async throws {
    let broker = try FakeBroker { packet in
      .last([0x20, 2, 0, packet[8] == 5 ? 1 : code])
    }
    #expect(await Party("court", at: settings(broker)).end()?.code == expected)
  }

  @Test(arguments: [
    (UInt8(0x89), MQTTFailure.Code.busy), (0x97, .busy), (0x87, .refused), (0x8A, .refused),
  ])
  func refusalsOf5HaveTheirCodes(_ code: UInt8, _ expected: MQTTFailure.Code) async throws {
    let broker = try FakeBroker { _ in .last([0x20, 3, 0, code, 0]) }
    #expect(await Party("court", at: settings(broker)).end()?.code == expected)
  }

  @Test(arguments: [
    (UInt8(0x8E), MQTTFailure.Code.takenOver), (0x8B, .busy), (0x8D, .silent), (0x98, .strange),
  ])
  func endsOf5HaveTheirCodes(_ code: UInt8, _ expected: MQTTFailure.Code) async throws {
    let broker = try FakeBroker { _ in .last(FakeBroker.connected + [0xE0, 2, code, 0]) }
    let court = Party("court", at: settings(broker))
    #expect(await court.next() == .connected(MQTTGrants()))
    #expect(await court.end()?.code == expected)
  }

  /// A will in CONNECT's flags, and the broker's word against it.
  @Test func aWillThatAsksForTooMuchIsTriedWithLess() async throws {
    let tried = Locked<[UInt8]>([])
    let broker = try FakeBroker { packet in
      guard packet[0] >> 4 == Kind.connect else { return .bytes([]) }
      let flags = packet[9] & 0x3C
      tried.withLock { $0.append(flags) }
      if flags & 0x20 != 0 { return .last([0x20, 3, 0, 0x9A, 0]) }
      return flags & 0x18 != 0 ? .last([0x20, 3, 0, 0x9B, 0]) : .bytes(FakeBroker.connected)
    }
    let will = MQTTMessage("court/availability", Array("offline".utf8), isRetained: true)
    let court = Party("court", at: settings(broker), will: will)
    #expect(await court.next() == .connected(MQTTGrants()))
    #expect(tried.withLock(\.self) == [0x2C, 0x0C, 0x04])
  }

  @Test func aBrokerThatRefusesEachWillIsNotAskedForEver() async throws {
    let tried = Locked(0)
    let broker = try FakeBroker { packet in
      tried.withLock { $0 += 1 }
      return .last([0x20, 3, 0, tried.withLock(\.self) % 2 == 0 ? 0x9A : 0x9B, 0])
    }
    let will = MQTTMessage("court/availability", Array("offline".utf8), isRetained: true)
    let settings = BrokerSettings(host: "127.0.0.1", port: broker.port)
    #expect(await Party("court", at: settings, will: will).end() != nil)
    // Two lacks, and then MQTT 3.1.1.
    #expect(tried.withLock(\.self) <= 5)
  }

  @Test func whatABrokerGrantsIsRead() async throws {
    let answer: [UInt8] = [
      0x20, 15, 0, 0, 12, 0x25, 0, 0x24, 0, 0x27, 0, 0, 3, 0xE8, 0x13, 0, 9,
    ]
    let packets = Locked<[UInt8]>([])
    let broker = try FakeBroker { packet in
      if packet[0] >> 4 == Kind.publish { packets.withLock { $0.append(packet[0]) } }
      return .bytes(packet[0] >> 4 == Kind.connect ? answer : [])
    }
    let court = Party("court", at: settings(broker))
    let grants = MQTTGrants(keepsMessages: false, quality: 0, longest: 1_000, keepalive: 9)
    #expect(await court.next() == .connected(grants))
    let kept = MQTTMessage("court/state", Array("{}".utf8), isRetained: true)
    let number = try #require(await court.connection.publish(kept))
    // Written is all that can be known of it.
    #expect(await court.next() == .published(number))
    while packets.withLock(\.isEmpty) { try await Task.sleep(for: .milliseconds(5)) }
    #expect(packets.withLock(\.self) == [0x30])
    #expect(grants.room(on: "court/state") == 973)
  }

  /// It would be looked at each second, though libmosquitto then pings no more.
  @Test func aBrokerThatWantsNoPingsIsNoReasonToWakeUp() async throws {
    let broker = try FakeBroker { _ in .bytes([0x20, 6, 0, 0, 3, 0x13, 0, 0]) }
    #expect(await Party("court", at: settings(broker)).next() == .connected(MQTTGrants()))
  }

  @Test(arguments: [true, false]) func aRefusedTopicEndsTheConnection(_ is5: Bool) async throws {
    let broker = try FakeBroker { packet in
      switch packet[0] >> 4 {
      case Kind.connect where is5: .bytes(FakeBroker.connected)
      case Kind.connect:
        packet[8] == 5 ? .last([0x20, 2, 0, 1]) : .bytes(FakeBroker.connectedTo311)
      case Kind.subscribe where is5: .bytes([0x90, 5, packet[2], packet[3], 0, 1, 0x87])
      case Kind.subscribe: .bytes([0x90, 4, packet[2], packet[3], 1, 0x80])
      default: .bytes([])
      }
    }
    let court = Party("court", at: settings(broker))
    #expect(await court.next() == .connected(MQTTGrants()))
    await court.connection.subscribe(["court/a", "court/b"])
    let failure = await court.end()
    #expect(failure?.code == .forbidden)
    #expect(failure?.description.contains("court/b") == true)
  }

  @Test(arguments: [
    // Nothing of MQTT.
    Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [0, 0, 0, 0], [0xF0, 0xFF, 0xFF, 0xFF, 0xFF],
    // Cut, too short, too long.
    [0x20], [0x20, 0], [0x20, 1, 0], [0x20, 3, 0, 0, 9], [0x20, 0xFF, 0xFF, 0xFF, 0x7F, 0],
    [0x20, 5, 0, 0, 2, 0x26, 0xFF],
    // A message without a topic, with a wildcard, with a length beyond its end.
    [0x20, 3, 0, 0, 0, 0x32, 3, 0, 0, 0], [0x20, 3, 0, 0, 0, 0x32, 3, 0, 9, 65],
    [0x20, 3, 0, 0, 0, 0x36, 0],
    // Ended without a reason, and with an unknown one.
    [0x20, 3, 0, 0, 0, 0xE0, 0], [0x20, 3, 0, 0, 0, 0xE0, 1, 0xFE],
  ])
  func bytesThatAreNoMQTTEndTheConnection(_ bytes: [UInt8]) async throws {
    let broker = try FakeBroker { _ in .last(bytes) }
    let failure = await Party("court", at: settings(broker)).end()
    #expect([.strange, .lost].contains(failure?.code), "\(String(describing: failure))")
  }

  @Test(arguments: [
    // A second welcome; an answer to what was not asked, or without a number; what none may send.
    FakeBroker.connected, [0x90, 4, 0, 7, 0, 0], [0x90, 0], [0x40, 0], [0x10, 0],
  ])
  func packetsOutOfPlaceEndTheConnection(_ bytes: [UInt8]) async throws {
    let broker = try FakeBroker { _ in .bytes(FakeBroker.connected + bytes) }
    #expect(await Party("court", at: settings(broker)).end()?.code == .strange)
  }

  @Test func aLongMessageOf311EndsTheConnection() async throws {
    let long = [0x30, 0xFF, 0xFF, 0xFF, 0x7F, 0, 1, 65] + [UInt8](repeating: 0, count: 400_000)
    let broker = try FakeBroker { packet in
      guard packet[0] >> 4 == Kind.connect else { return .bytes([]) }
      return packet[8] == 5 ? .last([0x20, 2, 0, 1]) : .bytes(FakeBroker.connectedTo311 + long)
    }
    let failure = await Party("court", at: settings(broker)).end()
    #expect(failure?.code == .strange)
    #expect(failure?.description.contains("65536 bytes") == true)
  }

  @Test func aBrokersLimitsAreKept() async throws {
    // Packets of 100 bytes, and a keepalive of 1 s.
    let limits: [UInt8] = [0x20, 11, 0, 0, 8, 0x27, 0, 0, 0, 100, 0x13, 0, 1]
    let pings = Locked(0)
    let broker = try FakeBroker { packet in
      switch packet[0] >> 4 {
      case Kind.connect: return .bytes(limits)
      case 12:
        // The second has no answer.
        let count = pings.withLock { count in
          count += 1
          return count
        }
        return .bytes(count == 1 ? [0xD0, 0] : [])
      default: return .bytes([])
      }
    }
    let silent = Party("silent", at: settings(broker))
    #expect(await silent.end()?.code == .silent)
    #expect(pings.withLock(\.self) == 2)
    // libmosquitto's own count is a byte short, and it aborts at the limit.
    for count in 60...100 {
      let court = Party("court", at: settings(broker))
      #expect(await court.isReady())
      let message = MQTTMessage("t", Array(repeating: 0, count: count))
      let isShort = await court.connection.publish(message) != nil
      #expect(isShort == (count <= 83))
      if !isShort { #expect(await court.end()?.code == .forbidden) }
    }
  }

  @Test func aSilentBrokerHoldsUpNothing() async throws {
    let broker = try FakeBroker { _ in .bytes([]) }
    let court = Party("court", at: settings(broker), timeToAnswer: .milliseconds(100))
    let failure = await court.end()
    #expect(failure?.code == .silent)
    #expect(await court.connection.publish(MQTTMessage("court/state", [])) == nil)
    let cancelled = Party("court", at: settings(broker))
    cancelled.cancel()
    #expect(await cancelled.end() == nil)
  }
}
