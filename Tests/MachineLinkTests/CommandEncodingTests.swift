import CourtLogic
import MachineLink
import TestSupport
import Testing

/// What is on the air, byte for byte.
struct CommandEncodingTests {
  /// Computed apart from this program, with Python:
  ///
  ///     def modbus(b):
  ///         c = 0xFFFF
  ///         for x in b:
  ///             c ^= x
  ///             for _ in range(8): c = (c >> 1) ^ 0xA001 if c & 1 else c >> 1
  ///         return c & 0xFF
  ///     def xor(b): return functools.reduce(operator.xor, b)
  @Test(
    arguments: [
      ("40,40,20,45,50", [0x5A, 0xA5, 0x83, 40, 40, 20, 45, 50, 1], 0xD7, 0x76),
      ("100,100,90,90,100", [0x5A, 0xA5, 0x83, 100, 100, 90, 90, 100, 1], 0x50, 0x19),
      ("1,2,3,4,5", [0x5A, 0xA5, 0x83, 1, 2, 3, 4, 5, 1], 0x0B, 0x7C),
      ("55,45,30,60,0", [0x5A, 0xA5, 0x83, 55, 45, 30, 60, 0, 1], 0x5F, 0x45),
      // The stop: control 0.
      ("0,0,0,0,0", [0x5A, 0xA5, 0x83, 0, 0, 0, 0, 0, 0], 0xF0, 0x7C),
    ] as [(String, [UInt8], UInt8, UInt8)]
  )
  func framesAreGolden(text: String, bytes: [UInt8], modbus: UInt8, xor: UInt8) throws {
    let command = try MachineCommand(text: text)
    for (check, last) in [(CheckByte.modbus, modbus), (.xor, xor)] {
      let encoding = CommandEncoding.framed(check)
      #expect(encoding.bytes(of: command) == bytes + [last])
      #expect(encoding.command(from: bytes + [last]) == command)
    }
  }

  @Test func digitsAreTheirText() throws {
    let command = try MachineCommand(digits: "105001050012002000")
    #expect(CommandEncoding.digits.bytes(of: command) == Array("105001050012002000".utf8))
    #expect(CommandEncoding.digits.bytes(of: .stop) == Array(repeating: 0x30, count: 18))
  }

  @Test func aCommandOfAnotherEncodingHasNoBytes() throws {
    #expect(CommandEncoding.framed(.modbus).bytes(of: .stop) == nil)
    #expect(CommandEncoding.digits.bytes(of: .stop(in: .framed)) == nil)
  }

  /// Whatever changes on the way, the last look before the write sees it.
  @Test func aChangedByteIsNotTheCommand() throws {
    let command = try MachineCommand(text: "40,40,20,45,50")
    for check in CheckByte.allCases {
      let encoding = CommandEncoding.framed(check)
      let bytes = try #require(encoding.bytes(of: command))
      for index in bytes.indices {
        for bit in 0..<8 {
          var other = bytes
          other[index] ^= 1 << bit
          #expect(encoding.command(from: other) != command)
        }
      }
      #expect(encoding.command(from: bytes.dropLast()) == nil)
      #expect(encoding.command(from: bytes + [0]) == nil)
    }
  }
}
