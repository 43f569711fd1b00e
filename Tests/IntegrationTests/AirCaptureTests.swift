import Testing

/// The way from a capture's bytes to the writes that went over the air. The bytes are planted.
@Suite struct AirCaptureTests {
  typealias Record = BtsnoopCapture.Record
  typealias Frame = AirTraffic.Frame

  private static let link = AirTraffic.Link(adapter: 0, handle: 0x40)
  private static let digits = Array("000002000009011234".utf8)

  // MARK: Planting

  private static func bigEndian(_ number: Int, _ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: number >> (8 * (length - 1 - $0))) }
  }

  private static func littleEndian(_ number: Int) -> [UInt8] { bigEndian(number, 2).reversed() }

  /// A record of the file.
  private static func planted(
    _ record: Record,
    length: Int? = nil,
    included: Int? = nil,
    drops: Int = 0
  ) -> [UInt8] {
    let count = record.bytes.count
    return bigEndian(length ?? count, 4) + bigEndian(included ?? length ?? count, 4)
      + bigEndian(record.adapter, 2) + bigEndian(record.kind.rawValue, 2) + bigEndian(drops, 4)
      + bigEndian(0x00e3_1234_5678_9abc, 8) + record.bytes
  }

  /// An ACL packet.
  private static func acl(
    _ kind: BtsnoopCapture.Kind,
    boundary: Int = 0,
    _ bytes: some Collection<UInt8>,
    handle: Int = link.handle
  ) -> Record {
    let head = littleEndian(handle | boundary << 12) + littleEndian(bytes.count)
    return Record(adapter: 0, kind: kind, bytes: head + bytes)
  }

  /// An L2CAP frame.
  private static func l2cap(_ channel: AirTraffic.Channel, _ payload: [UInt8]) -> [UInt8] {
    littleEndian(payload.count) + littleEndian(channel.rawValue) + payload
  }

  private static func disconnection(status: UInt8 = 0, handle: Int = link.handle) -> Record {
    Record(adapter: 0, kind: .event, bytes: [0x05, 4, status] + littleEndian(handle) + [0x13])
  }

  private static func traffic(_ records: [Record]) throws(AirTraffic.Defect) -> AirTraffic {
    var traffic = AirTraffic()
    for record in records { try traffic.hear(record) }
    return traffic
  }

  /// What the two ends say to each other in ATT.
  private static func conversation(
    _ words: (kind: BtsnoopCapture.Kind, payload: [UInt8])...
  ) throws -> [AttributeWrite] {
    try traffic(words.map { acl($0.kind, l2cap(.attributes, $0.payload)) }).writes()
  }

  private static func write(
    _ form: AttributeWrite.Form,
    handle: Int = 3,
    _ value: [UInt8] = digits,
    packets: Int = 1,
    answer: AttributeWrite.Answer? = nil
  ) -> AttributeWrite {
    AttributeWrite(
      link: link,
      form: form,
      handle: handle,
      value: value,
      packets: packets,
      answer: answer
    )
  }

  // MARK: The file

  private static let records = [
    Record(adapter: 0xffff, kind: .init(rawValue: 13), bytes: Array("bluetoothd".utf8)),
    Record(adapter: 1, kind: .aclSent, bytes: [1, 2, 3]),
    Record(adapter: 0, kind: .event, bytes: []),
  ]

  @Test func aCaptureIsReadHoweverItIsCut() throws {
    let pieces = [BtsnoopCapture.header] + Self.records.map { Self.planted($0) }
    let file = Array(pieces.joined())
    // Where header and records end.
    let ends = pieces.indices.map { pieces[...$0].joined().count }
    for cut in 0...file.count {
      var capture = BtsnoopCapture()
      let complete = ends.dropFirst().count { $0 <= cut }
      #expect(try capture.read(file[..<cut]) == Array(Self.records[..<complete]))
      #expect(try capture.read(file[cut...]) == Array(Self.records[complete...]))
      #expect(try capture.read([]) == [])
    }
  }

  @Test(arguments: BtsnoopCapture.header.indices)
  func anythingElseIsNoCapture(position: Int) {
    var header = BtsnoopCapture.header
    header[position] ^= 1
    var capture = BtsnoopCapture()
    #expect(throws: BtsnoopCapture.Defect.notACapture) { try capture.read(header) }
  }

  @Test func whatIsNotWholeIsNotTakenForIt() {
    let record = Self.records[1]
    let defects: [([UInt8], BtsnoopCapture.Defect)] = [
      (Self.planted(record, length: 9, included: 3), .cutPacket(length: 9, included: 3)),
      (Self.planted(record, length: 2, included: 3), .badLength(3)),
      (Self.planted(record, length: 1491), .badLength(1491)),
      (Self.planted(record, drops: 2), .dropped(2)),
    ]
    for (bytes, defect) in defects {
      var capture = BtsnoopCapture()
      #expect(throws: defect) { try capture.read(BtsnoopCapture.header + bytes) }
    }
  }

  // MARK: Frames

  @Test(arguments: [0, 2, 3])
  func aFrameInOnePacket(boundary: Int) throws {
    let bytes = Self.l2cap(.attributes, [1, 2, 3])
    let traffic = try Self.traffic([
      Self.acl(.aclSent, boundary: boundary, bytes),
      Self.acl(.aclReceived, boundary: boundary, bytes),
    ])
    let frames = [AirTraffic.Direction.sent, .received].map { direction in
      Frame(
        link: Self.link,
        direction: direction,
        channel: .attributes,
        payload: [1, 2, 3],
        packets: 1
      )
    }
    #expect(traffic.frames == frames)
  }

  /// Pieces of another direction and of another link come between.
  @Test func fragmentsArePutTogetherLinkByLink() throws {
    let bytes = Self.l2cap(.attributes, Array(0..<40))
    // Even the frame's own header may be cut.
    for cut in 0..<bytes.count - 1 {
      let (first, rest) = (bytes[..<cut], bytes[cut...])
      let traffic = try Self.traffic([
        Self.acl(.aclSent, first),
        Self.acl(.aclSent, first, handle: 0x41),
        Self.acl(.aclReceived, boundary: 2, first),
        Self.acl(.aclReceived, boundary: 1, rest),
        Self.acl(.aclSent, boundary: 1, rest.prefix(1)),
        Self.acl(.aclSent, boundary: 1, rest.dropFirst()),
      ])
      #expect(traffic.frames.map(\.payload) == [Array(0..<40), Array(0..<40)])
      #expect(traffic.frames.map(\.direction) == [.received, .sent])
      #expect(traffic.frames.map(\.packets) == [2, 3])
      #expect(Set(traffic.frames.map(\.link)) == [Self.link])
    }
  }

  @Test func whatIsNoACLDataIsNotHeard() throws {
    let bytes = Self.acl(.aclSent, Self.l2cap(.attributes, [1])).bytes
    for kind in 0...20 where ![3, 4, 5].contains(kind) {
      let record = Record(adapter: 0, kind: .init(rawValue: kind), bytes: bytes)
      #expect(try Self.traffic([record]).frames == [])
    }
  }

  @Test func linksEnd() throws {
    let begun = Self.acl(.aclSent, Self.l2cap(.attributes, [1, 2]).dropLast())
    #expect(try Self.traffic([begun, Self.disconnection(status: 2)]).ended == [])
    // The same handle again, for another link.
    let traffic = try Self.traffic([begun, Self.disconnection(), begun])
    #expect(traffic.ended == [Self.link])
    #expect(traffic.frames == [])
  }

  @Test func whatMakesUpNoFramesIsADefect() {
    let bytes = Self.l2cap(.attributes, [1, 2])
    let longer = Self.acl(.aclSent, bytes + [3])
    let short = Record(adapter: 0, kind: .aclSent, bytes: Array(longer.bytes.dropLast()))
    let defects: [([Record], AirTraffic.Defect)] = [
      ([Self.acl(.aclSent, boundary: 1, bytes)], .nothingToContinue(Self.link)),
      ([Self.acl(.aclSent, bytes.dropLast()), longer], .unfinished(Self.link)),
      ([longer], .malformed(bytes + [3])),
      ([short], .malformed(short.bytes)),
      ([Record(adapter: 0, kind: .event, bytes: [5, 4, 0])], .malformed([5, 4, 0])),
    ]
    for (records, defect) in defects {
      #expect(throws: defect) { try Self.traffic(records) }
    }
  }

  // MARK: Writes

  @Test func writesAreToldWithTheirAnswers() throws {
    let writes = try Self.conversation(
      (.aclSent, [0x12, 3, 0] + Self.digits),
      (.aclReceived, [0x13]),
      (.aclSent, [0x52, 3, 0] + Self.digits),
      (.aclSent, [0x12, 0x04, 0x01]),
      // A notification comes between.
      (.aclReceived, [0x1b, 5, 0, 1]),
      (.aclReceived, [0x01, 0x12, 0x04, 0x01, 0x0e]),
      (.aclSent, [0xd2, 3, 0] + Self.digits),
      (.aclSent, [0x12, 3, 0, 1])
    )
    let expected = [
      Self.write(.request, answer: .acknowledged),
      Self.write(.command),
      Self.write(.request, handle: 0x104, [], answer: .refused(0x0e)),
      Self.write(.signedCommand),
      Self.write(.request, [1]),
    ]
    #expect(writes == expected)
  }

  @Test func framesAreTextTooAndNotificationsAreBytes() throws {
    let start: [UInt8] = [0x5a, 0xa5, 0x83, 40, 40, 20, 45, 50, 1]
    let traffic = try Self.traffic(
      [
        (.aclSent, [0x12, 3, 0] + start + [0xd7]), (.aclReceived, [0x13]),
        (.aclReceived, [0x1b, 3, 0, 0x5a, 0xa5, 0x82, 1, 0xa3]),
        (.aclSent, [0x52, 3, 0] + start + [0x76]), (.aclSent, [0x52, 3, 0] + start + [0xd6]),
        (.aclSent, [0x52, 3, 0] + Self.digits),
      ].map { (kind: BtsnoopCapture.Kind, payload: [UInt8]) in
        Self.acl(kind, Self.l2cap(.attributes, payload))
      }
    )
    #expect(
      try traffic.writes().map(\.text)
        == ["40,40,20,45,50", "40,40,20,45,50", nil, "000002000009011234"]
    )
    #expect(traffic.notifications == [[0x5a, 0xa5, 0x82, 1, 0xa3]])
  }

  @Test func aLongWriteIsSeenToBeOne() throws {
    let writes = try Self.conversation(
      (.aclSent, [0x16, 3, 0, 0, 0, 0x30, 0x31]),
      (.aclReceived, [0x17, 3, 0, 0, 0, 0x30, 0x31]),
      (.aclSent, [0x18, 1]),
      (.aclReceived, [0x19])
    )
    let expected = [
      Self.write(.prepare, [0x30, 0x31], answer: .acknowledged),
      Self.write(.execute, handle: 0, [], answer: .acknowledged),
    ]
    #expect(writes == expected)
  }

  @Test func onlyTheHostsWritesCount() throws {
    let writes = try Self.conversation(
      // The machine may ask, too, and be answered; and the host may read.
      (.aclReceived, [0x12, 3, 0] + Self.digits),
      (.aclSent, [0x13]),
      (.aclSent, [0x0a, 3, 0]),
      (.aclReceived, [0x01, 0x0a, 3, 0, 2]),
      (.aclSent, [0x0a, 3, 0]),
      (.aclReceived, [0x0b] + Self.digits)
    )
    #expect(writes == [])
  }

  @Test func otherChannelsCarryNoWrites() throws {
    let write = [0x12, 3, 0] + Self.digits
    let channels = [.signaling, .security, AirTraffic.Channel(rawValue: 0x40)]
    let traffic = try Self.traffic(channels.map { Self.acl(.aclSent, Self.l2cap($0, write)) })
    #expect(traffic.frames.map(\.channel) == channels)
    #expect(try traffic.writes() == [])
  }

  @Test func aWriteInPiecesTellsTheirNumber() throws {
    let bytes = Self.l2cap(.attributes, [0x12, 3, 0] + Self.digits)
    let traffic = try Self.traffic([
      Self.acl(.aclSent, bytes.prefix(20)), Self.acl(.aclSent, boundary: 1, bytes.dropFirst(20)),
    ])
    #expect(try traffic.writes() == [Self.write(.request, packets: 2)])
  }

  @Test func wrongAnswersAndCutWritesAreDefects() {
    let request = (kind: BtsnoopCapture.Kind.aclSent, payload: [0x12, 3, 0] + Self.digits)
    typealias Defect = AttributeWrite.Defect
    #expect(throws: Defect.unasked([0x13])) { try Self.conversation((.aclReceived, [0x13])) }
    #expect(throws: Defect.unasked([0x13])) {
      try Self.conversation(request, (.aclReceived, [0x13]), (.aclReceived, [0x13]))
    }
    #expect(throws: Defect.unasked([0x17])) {
      try Self.conversation(request, (.aclReceived, [0x17]))
    }
    for cut in [[0x12, 3], [0x52], [0x16, 3, 0, 0]] as [[UInt8]] {
      #expect(throws: Defect.malformed(cut)) { try Self.conversation((.aclSent, cut)) }
    }
    #expect(throws: Defect.malformed([0x01, 0x12])) {
      try Self.conversation(request, (.aclReceived, [0x01, 0x12]))
    }
  }
}
