/// What went through the air over links between the kernel and machines: L2CAP frames, put together
/// from the ACL packets of a capture.
///
/// Source: Bluetooth Core 5.4, Vol 4 Part E 5.4.2 (ACL packets) and 7.7.5 (Disconnection Complete),
/// Vol 3 Part A 3.1 (frames).
struct AirTraffic {
  struct Link: Hashable {
    /// N of hciN.
    var adapter: Int
    /// The connection's.
    var handle: Int
  }

  enum Direction: Hashable {
    /// To the machine.
    case sent
    /// From the machine.
    case received
  }

  struct Frame: Hashable {
    var link: Link
    var direction: Direction
    var channel: Channel
    var payload: [UInt8]
    /// How many ACL packets carried it.
    var packets: Int
  }

  struct Channel: RawRepresentable, Hashable {
    var rawValue: Int

    static let attributes = Channel(rawValue: 4)
    static let signaling = Channel(rawValue: 5)
    static let security = Channel(rawValue: 6)
  }

  /// The packets don't make up frames.
  enum Defect: Error, Hashable {
    /// A packet's lengths don't fit.
    case malformed([UInt8])
    /// A packet goes on with a frame that has not begun.
    case nothingToContinue(Link)
    /// A frame begins before the last one is complete.
    case unfinished(Link)
  }

  /// In the order in which they were complete.
  private(set) var frames: [Frame] = []
  /// The links that have ended.
  private(set) var ended: [Link] = []

  /// A frame of which there is a part.
  private struct Part {
    var bytes: [UInt8] = []
    var packets = 0
  }

  private struct Side: Hashable {
    var link: Link
    var direction: Direction
  }

  private var parts: [Side: Part] = [:]

  /// Takes the capture's next record; many tell nothing of the air.
  mutating func hear(_ record: BtsnoopCapture.Record) throws(Defect) {
    switch record.kind {
    case .aclSent: try hear(record, .sent)
    case .aclReceived: try hear(record, .received)
    case .event: try hearEvent(record)
    default: break
    }
  }

  private mutating func hear(
    _ record: BtsnoopCapture.Record,
    _ direction: Direction
  ) throws(Defect) {
    var unread = record.bytes[...]
    guard let head = unread.takeLittleEndian(2), let length = unread.takeLittleEndian(2),
      unread.count == length
    else { throw .malformed(record.bytes) }
    let link = Link(adapter: record.adapter, handle: head & 0xfff)
    let side = Side(link: link, direction: direction)
    // The packet boundary flag: 1 is a continuation, all others begin a frame.
    let continues = head >> 12 & 3 == 1
    var part = parts.removeValue(forKey: side)
    if continues, part == nil { throw .nothingToContinue(link) }
    if !continues, part != nil { throw .unfinished(link) }
    part = part ?? Part()
    part?.bytes += unread
    part?.packets += 1
    guard let part else { return }
    if let frame = try Self.frame(of: part, side) {
      frames.append(frame)
    } else {
      parts[side] = part
    }
  }

  /// The frame that this makes up, if it is complete.
  private static func frame(of part: Part, _ side: Side) throws(Defect) -> Frame? {
    var unread = part.bytes[...]
    guard let length = unread.takeLittleEndian(2), let channel = unread.takeLittleEndian(2),
      unread.count >= length
    else { return nil }
    guard unread.count == length else { throw .malformed(part.bytes) }
    return Frame(
      link: side.link,
      direction: side.direction,
      channel: Channel(rawValue: channel),
      payload: Array(unread),
      packets: part.packets
    )
  }

  private mutating func hearEvent(_ record: BtsnoopCapture.Record) throws(Defect) {
    let disconnectionComplete: UInt8 = 0x05
    guard record.bytes.first == disconnectionComplete else { return }
    var unread = record.bytes.dropFirst(2)
    guard let status = unread.takeLittleEndian(1), let handle = unread.takeLittleEndian(2) else {
      throw .malformed(record.bytes)
    }
    guard status == 0 else { return }
    let link = Link(adapter: record.adapter, handle: handle)
    ended.append(link)
    // The handle may be another link's next.
    for direction in [Direction.sent, .received] {
      parts[Side(link: link, direction: direction)] = nil
    }
  }
}
