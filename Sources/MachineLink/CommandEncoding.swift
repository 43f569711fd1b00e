package import CourtLogic

/// What a command is on the air.
package enum CommandEncoding: Hashable, Sendable {
  /// 18 ASCII digits.
  case digits
  /// `5A A5 83`, upper, lower, pitch, yaw, feed, control (1 start, 0 stop), check byte.
  /// Source: the machine maker's app, version 0.3.
  case framed(CheckByte)

  /// - Parameter checkByte: of a frame.
  package init(_ encoding: MachineEncoding, _ checkByte: CheckByte = .modbus) {
    self =
      switch encoding {
      case .digits: .digits
      case .framed: .framed(checkByte)
      }
  }

  /// Which fields its commands have.
  package var kind: MachineEncoding {
    switch self {
    case .digits: .digits
    case .framed: .framed
    }
  }

  /// What stops the machine, unless its digits are configured.
  package var stop: MachineCommand { .stop(in: kind) }

  /// Whether the machine answers commands.
  package var hasAnswers: Bool { self != .digits }

  private static let start: [UInt8] = [0x5A, 0xA5, 0x83]
  private static let length = 10

  /// What is written for the command; nil for one of another encoding.
  package func bytes(of command: MachineCommand) -> [UInt8]? {
    switch (self, command.encoding) {
    case (.digits, .digits): return [UInt8](command.text.utf8)
    case (.framed(let check), .framed):
      // All values fit: the encoding's ranges end at 100.
      let fields = command.values.map { UInt8(truncatingIfNeeded: $0) }
      let frame = Self.start + fields + [command.isStop ? 0 : 1]
      return frame + [check.of(frame)]
    case (.digits, .framed), (.framed, .digits): return nil
    }
  }

  /// The command that the machine will read; nil for bytes that are none.
  package func command(from bytes: [UInt8]) -> MachineCommand? {
    switch self {
    case .digits: return try? MachineCommand(digits: String(decoding: bytes, as: UTF8.self))
    case .framed(let check):
      guard bytes.count == Self.length, bytes.starts(with: Self.start),
        let command = try? MachineCommand(.framed, bytes[3..<8].map(Int.init)),
        bytes[8] == (command.isStop ? 0 : 1), bytes[9] == check.of(bytes.dropLast())
      else { return nil }
      return command
    }
  }
}

/// The last byte of a frame, over all bytes before it.
package enum CheckByte: String, CaseIterable, Hashable, Sendable {
  /// The low byte of CRC-16/Modbus (initial value 0xFFFF, polynomial 0xA001, reflected): what the
  /// maker's app computes.
  case modbus
  /// All bytes, by exclusive or: what the maker's documents say.
  case xor

  package func of(_ bytes: some Sequence<UInt8>) -> UInt8 {
    switch self {
    case .xor: return bytes.reduce(0, ^)
    case .modbus:
      let sum = bytes.reduce(0xFFFF as UInt16) { sum, byte in
        (0..<8).reduce(sum ^ UInt16(byte)) { sum, _ in
          sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1
        }
      }
      return UInt8(truncatingIfNeeded: sum)
    }
  }
}
