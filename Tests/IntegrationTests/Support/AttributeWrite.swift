import MockMachine

/// A write that went to a machine's attribute, and what the machine answered.
///
/// Source: Bluetooth Core 5.4, Vol 3 Part F 3.4.5 and 3.4.6.
struct AttributeWrite: Hashable {
  /// The opcodes of all that writes.
  enum Form: UInt8 {
    case request = 0x12
    case command = 0x52
    case signedCommand = 0xd2
    /// A piece of a long value.
    case prepare = 0x16
    /// What makes the pieces count.
    case execute = 0x18

    /// The opcode of what acknowledges it.
    fileprivate var acknowledgement: UInt8? {
      switch self {
      case .request, .prepare, .execute: rawValue + 1
      case .command, .signedCommand: nil
      }
    }
  }

  enum Answer: Hashable {
    case acknowledged
    /// With an ATT error code.
    case refused(UInt8)
  }

  var link: AirTraffic.Link
  var form: Form
  /// The attribute's; 0, which no attribute has, for ``Form/execute``.
  var handle: Int
  /// With the signature of a ``Form/signedCommand``.
  var value: [UInt8]
  /// How many ACL packets carried it.
  var packets: Int
  var answer: Answer?

  enum Defect: Error, Hashable {
    /// What is too short for its opcode.
    case malformed([UInt8])
    /// An answer to a write that nobody waits for.
    case unasked([UInt8])
  }
}

extension AttributeWrite {
  /// What it says to a machine: a good frame's fields as the mock has them, or text.
  var text: String? {
    MockCheckByte.allCases.compactMap { MockFrame(value, $0)?.text }.first
      ?? String(validating: value, as: UTF8.self)
  }
}

extension AttributeWrite: CustomStringConvertible {
  var description: String {
    let told = answer.map { ", \($0)" } ?? ""
    let text = text ?? "\(value)"
    return "\(form) of \(text) to \(handle) in \(packets)\(told) on \(link)"
  }
}

extension AirTraffic {
  /// What machines notified, in order. Source: Bluetooth Core 5.4, Vol 3 Part F 3.4.7.1.
  var notifications: [[UInt8]] {
    let opcodeAndHandle = 3
    return frames.filter {
      $0.channel == .attributes && $0.direction == .received && $0.payload.first == 0x1b
    }.map { Array($0.payload.dropFirst(opcodeAndHandle)) }
  }

  /// All writes to machines, in order.
  func writes() throws(AttributeWrite.Defect) -> [AttributeWrite] {
    var writes: [AttributeWrite] = []
    /// The write of each link that waits for its answer; there is one at a time.
    var asked: [Link: Int] = [:]
    for frame in frames where frame.channel == .attributes {
      switch frame.direction {
      case .sent:
        guard let write = try AttributeWrite(frame) else { continue }
        if write.form.acknowledgement != nil { asked[frame.link] = writes.count }
        writes.append(write)
      case .received:
        guard let (answer, form) = try AttributeWrite.answer(in: frame.payload) else { continue }
        guard let index = asked.removeValue(forKey: frame.link), writes[index].form == form else {
          throw .unasked(frame.payload)
        }
        writes[index].answer = answer
      }
    }
    return writes
  }
}

extension AttributeWrite {
  /// Nil if the frame is something else.
  fileprivate init?(_ frame: AirTraffic.Frame) throws(Defect) {
    var unread = frame.payload[...]
    guard let opcode = unread.popFirst(), let form = Form(rawValue: opcode) else { return nil }
    var handle = 0
    if form != .execute {
      guard let found = unread.takeLittleEndian(2) else { throw .malformed(frame.payload) }
      handle = found
    }
    if form == .prepare, unread.takeLittleEndian(2) == nil { throw .malformed(frame.payload) }
    self.init(
      link: frame.link,
      form: form,
      handle: handle,
      value: form == .execute ? [] : Array(unread),
      packets: frame.packets
    )
  }

  /// What the machine says of a write of this form; nil if it speaks of something else.
  fileprivate static func answer(
    in payload: [UInt8]
  ) throws(Defect) -> (answer: Answer, form: Form)? {
    let errorResponse: UInt8 = 0x01
    guard let opcode = payload.first else { return nil }
    if opcode == errorResponse {
      // The refused opcode, a handle, and why.
      guard payload.count == 5 else { throw .malformed(payload) }
      return Form(rawValue: payload[1]).map { (.refused(payload[4]), $0) }
    }
    let forms: [Form] = [.request, .prepare, .execute]
    return forms.first { $0.acknowledgement == opcode }.map { (.acknowledged, $0) }
  }
}
