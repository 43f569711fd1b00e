/// Values as JSON text, the keys of each object sorted, so that equal values are equal texts.
///
/// Jansson parses, but does not write: it would need a second tree of its own, and writes 4.1 as
/// 4.0999999999999996 unless it is told how many digits to write.
package enum JSONEncoding {
  /// Encodes a value on one line, without its end.
  ///
  /// - Throws: `EncodingError` for a number that JSON can't hold, and what `value` itself throws.
  package static func line(_ value: some Encodable) throws -> [UInt8] {
    try JSONWriter.bytes(try JSONValue(encoding: value), isIndented: false)
  }

  /// The members of an object that are strings, numbers or booleans, as text.
  ///
  /// - Throws: as ``line(_:)``.
  package static func scalars(of value: some Encodable) throws -> [String: String] {
    guard case .object(let members) = try JSONValue(encoding: value) else { return [:] }
    return try members.compactMapValues { value in
      switch value {
      case .string(let text): text
      case .boolean, .integer, .number:
        String(decoding: try JSONWriter.bytes(value, isIndented: false), as: UTF8.self)
      case .null, .array, .object: nil
      }
    }
  }

  /// Encodes a value on a line for each member and element, for files that people look into. Ends
  /// with a line feed.
  package static func file(_ value: some Encodable) throws -> [UInt8] {
    try JSONWriter.bytes(try JSONValue(encoding: value), isIndented: true) + [UInt8(ascii: "\n")]
  }
}

/// Writes a value as text.
private struct JSONWriter {
  private var bytes: [UInt8] = []
  private let isIndented: Bool
  private var levels = 0

  /// - Throws: `EncodingError` for a number that JSON can't hold.
  static func bytes(_ value: JSONValue, isIndented: Bool) throws -> [UInt8] {
    var writer = JSONWriter(isIndented: isIndented)
    writer.bytes.reserveCapacity(512)
    try writer.write(value)
    return writer.bytes
  }

  private init(isIndented: Bool) { self.isIndented = isIndented }

  private mutating func write(_ value: JSONValue) throws {
    switch value {
    case .null: writeLiteral("null")
    case .boolean(let boolean): writeLiteral(boolean ? "true" : "false")
    case .integer(let number): writeLiteral("\(number)")
    case .number(let number):
      guard number.isFinite else { throw JSONValue.noNumber(number) }
      // Take as few digits as tell the number from all others, and none after the point if there is
      // no fraction.
      let text = number.description
      writeLiteral(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    case .string(let text): write(text)
    case .array(let elements): try writeList("[", elements, "]") { try $0.write($1) }
    case .object(let members):
      let members = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      try writeList("{", members, "}") { writer, member in
        writer.write(member.key)
        writer.writeLiteral(writer.isIndented ? " : " : ":")
        try writer.write(member.value)
      }
    }
  }

  private mutating func writeLiteral(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func writeList<Item>(
    _ opening: Unicode.Scalar,
    _ items: [Item],
    _ closing: Unicode.Scalar,
    _ write: (inout JSONWriter, Item) throws -> Void
  ) rethrows {
    bytes.append(UInt8(ascii: opening))
    defer { bytes.append(UInt8(ascii: closing)) }
    guard !items.isEmpty else { return }
    levels += 1
    for index in items.indices {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      indent()
      try write(&self, items[index])
    }
    levels -= 1
    indent()
  }

  private mutating func indent() {
    guard isIndented else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * levels))
  }

  /// Source of what must be escaped: RFC 8259, section 7.
  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { text in
      var written = 0
      for index in text.indices {
        guard let escape = Self.escape(text[index]) else { continue }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[written..<index]))
        bytes.append(contentsOf: escape.utf8)
        written = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[written...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// - Returns: nil for a byte that stands for itself.
  @inline(__always)
  private static func escape(_ byte: UInt8) -> String? {
    guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
      return nil
    }
    switch byte {
    case UInt8(ascii: "\""): return "\\\""
    case UInt8(ascii: "\\"): return "\\\\"
    case 0x08: return "\\b"
    case 0x09: return "\\t"
    case 0x0a: return "\\n"
    case 0x0c: return "\\f"
    case 0x0d: return "\\r"
    default: return (byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)
    }
  }
}
