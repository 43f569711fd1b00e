/// An error code of the Attribute Protocol, with which a machine refuses a command.
///
/// Source: Bluetooth Core 5.4, Vol 3, Part F, 3.4.1.1; the codes from 0xfc on: Supplement to the Core
/// Specification, Part B, 1.2. bluetoothd has one text for 0x05, 0x0c and 0x0f, which is read as 0x05.
struct ATTError: Hashable, Sendable {
  let code: UInt8

  /// The code of a machine that failed for a reason that has no code of its own.
  static let unlikely: UInt8 = 0x0e

  /// What the code means, in the specification's words.
  var words: String {
    switch code {
    case 0x01: "invalid handle"
    case 0x02: "read not permitted"
    case 0x03: "write not permitted"
    case 0x04: "invalid PDU"
    case 0x05: "insufficient authentication: the machine wants to be paired"
    case 0x06: "request not supported"
    case 0x07: "invalid offset"
    case 0x08: "insufficient authorization"
    case 0x09: "prepare queue full"
    case 0x0a: "attribute not found"
    case 0x0b: "attribute not long"
    case 0x0c: "encryption key too short: the machine must be paired again"
    case 0x0d: "invalid attribute value length"
    case 0x0e: "unlikely error"
    case 0x0f: "insufficient encryption: the machine wants to be paired"
    case 0x10: "unsupported group type"
    case 0x11: "insufficient resources"
    case 0x12: "database out of sync"
    case 0x13: "value not allowed"
    case 0x80...0x9f: "an error of the machine's own"
    case 0xfc: "write request rejected"
    case 0xfd: "notifications not configured"
    case 0xfe: "procedure already in progress"
    case 0xff: "value out of range"
    default: "reserved"
    }
  }

  /// What a technician can do.
  var remedy: String {
    switch code {
    case 0x05, 0x0c, 0x0f:
      "pair the machine: run `bluetoothctl pair ADDRESS` while the machine is in its pairing mode"
    case 0x01, 0x03, 0x06, 0x0a:
      "check that the right characteristic is used; if so, switch the machine off and on"
    case 0x07, 0x0d, 0x13, 0xff: "check that the command suits this machine"
    default: "look at the machine: it may be busy, empty or jammed; switch it off and on"
    }
  }

  /// For logs and for searching: `0x05`.
  var number: String { (code < 0x10 ? "0x0" : "0x") + String(code, radix: 16) }
}
