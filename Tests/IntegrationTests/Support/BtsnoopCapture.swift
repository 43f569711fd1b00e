/// A file that `btmon -w` writes: the packets between the kernel and its controllers, and more.
///
/// It is fed the file's bytes as they come, however they are cut, and gives each record once that is
/// complete. Source: BlueZ src/shared/btsnoop.c and btsnoop.h.
struct BtsnoopCapture {
  struct Record: Hashable {
    /// N of hciN.
    var adapter: Int
    var kind: Kind
    var bytes: [UInt8]
  }

  /// The monitor's opcodes that we know; there are others.
  struct Kind: RawRepresentable, Hashable {
    var rawValue: Int

    static let event = Kind(rawValue: 3)
    /// ACL data to the controller.
    static let aclSent = Kind(rawValue: 4)
    /// ACL data from the controller.
    static let aclReceived = Kind(rawValue: 5)
  }

  enum Defect: Error, Hashable {
    /// The file's header is not a btsnoop file's of version 1 with HCI monitor records.
    case notACapture
    /// A record that is longer than btmon makes any, or than the packet that it holds.
    case badLength(Int)
    /// A packet of which only the first bytes were kept.
    case cutPacket(length: Int, included: Int)
    /// So many packets are missing.
    case dropped(Int)
  }

  /// Magic, version 1, and the datalink type of HCI monitor records, 2001.
  static let header = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x07, 0xd1]
  /// Lengths of packet and of what the record includes, flags, drops, and a time of 8 bytes.
  private static let recordHeaderLength = 24
  /// Source: BTSNOOP_MAX_PACKET_SIZE.
  private static let longestPacket = 1490

  private var isBegun = false
  /// The beginning of what is not complete yet.
  private var rest: ArraySlice<UInt8> = []

  /// Reads on: the records that are complete with these bytes.
  mutating func read(_ bytes: some Sequence<UInt8>) throws(Defect) -> [Record] {
    rest = ArraySlice(rest + bytes)
    if !isBegun {
      guard rest.count >= Self.header.count else { return [] }
      guard rest.starts(with: Self.header) else { throw .notACapture }
      rest = rest.dropFirst(Self.header.count)
      isBegun = true
    }
    var records: [Record] = []
    while let record = try nextRecord() { records.append(record) }
    return records
  }

  /// Takes the next record off, if it is complete.
  private mutating func nextRecord() throws(Defect) -> Record? {
    var unread = rest
    guard unread.count >= Self.recordHeaderLength,
      let length = unread.takeBigEndian(4), let included = unread.takeBigEndian(4),
      let adapter = unread.takeBigEndian(2), let kind = unread.takeBigEndian(2),
      let drops = unread.takeBigEndian(4), unread.takeBigEndian(8) != nil
    else { return nil }
    guard included <= min(length, Self.longestPacket) else { throw .badLength(included) }
    guard included == length else { throw .cutPacket(length: length, included: included) }
    guard drops == 0 else { throw .dropped(drops) }
    guard let bytes = unread.take(included) else { return nil }
    rest = unread
    return Record(adapter: adapter, kind: Kind(rawValue: kind), bytes: Array(bytes))
  }
}

/// Each takes bytes off the front, or nothing at all and returns nil if there are too few.
extension ArraySlice<UInt8> {
  mutating func take(_ length: Int) -> ArraySlice<UInt8>? {
    guard count >= length else { return nil }
    defer { self = dropFirst(length) }
    return prefix(length)
  }

  mutating func takeBigEndian(_ length: Int) -> Int? {
    take(length)?.reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func takeLittleEndian(_ length: Int) -> Int? {
    take(length)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
