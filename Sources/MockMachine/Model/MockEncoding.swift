/// What the bytes that a machine is written mean to it.
package enum MockEncoding: String, CaseIterable, Hashable, Sendable {
  /// 18 digits. The machine answers nothing.
  case digits
  /// ``MockFrame``s, which the machine checks, and answers on its characteristic that notifies.
  case framed
}

/// How the last byte of a frame follows from those before it.
package enum MockCheckByte: String, CaseIterable, Hashable, Sendable {
  /// The low byte of CRC-16/Modbus.
  case modbus
  /// XOR of all bytes.
  case xor

  package func callAsFunction(_ bytes: some Sequence<UInt8>) -> UInt8 {
    switch self {
    case .modbus:
      UInt8(
        truncatingIfNeeded: bytes.reduce(into: 0xffff as UInt16) { crc, byte in
          crc ^= UInt16(byte)
          for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xa001 : crc >> 1 }
        }
      )
    case .xor: bytes.reduce(0, ^)
    }
  }
}

/// A command in the framed encoding: 5A A5 83, upper wheel, lower wheel, pitch, yaw, feed, control and
/// the check byte.
package struct MockFrame: Hashable, Sendable {
  /// What a machine says of a command.
  package enum Answer: UInt8, Hashable, Sendable {
    case refused = 0
    case accepted = 1
    case completed = 2
  }

  /// Upper and lower wheel in percent, pitch and yaw in degrees, feed in percent.
  package var fields: [UInt8]
  package var isStart: Bool

  static let answerHeader: [UInt8] = [0x5a, 0xa5, 0x82]
  private static let header: [UInt8] = [0x5a, 0xa5, 0x83]
  /// The largest values of the fields, and of the control byte.
  private static let limits: [UInt8] = [100, 100, 90, 90, 100, 1]

  /// nil when a machine with this check byte ignores the bytes.
  package init?(_ bytes: [UInt8], _ checkByte: MockCheckByte) {
    let values = bytes.dropFirst(Self.header.count).dropLast()
    guard bytes.starts(with: Self.header), values.count == Self.limits.count,
      zip(values, Self.limits).allSatisfy({ $0 <= $1 }), bytes.last == checkByte(bytes.dropLast())
    else { return nil }
    fields = Array(values.dropLast())
    isStart = values.last == 1
  }

  /// The fields in decimal with commas, all 0 for a stop whatever its fields are.
  package var text: String {
    let text = (isStart ? fields : fields.map { _ in 0 }).map(String.init).joined(separator: ",")
    // A start without any speed must not read as a stop.
    return isStart && fields.allSatisfy { $0 == 0 } ? "start \(text)" : text
  }

  package static func answer(_ answer: Answer, _ checkByte: MockCheckByte) -> [UInt8] {
    let bytes = answerHeader + [answer.rawValue]
    return bytes + [checkByte(bytes)]
  }
}
