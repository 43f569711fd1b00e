/// Values as JSON text, the keys of each object sorted, so that equal values are equal texts.
///
/// Jansson parses, but does not write: it would need a second tree of its own, can't take an integer
/// above 2^63-1, and writes 4.1 as 4.0999999999999996 unless it is told how many digits to write.
package enum JSONEncoding {
  /// On one line, without its end.
  ///
  /// - Throws: `EncodingError` for a number that JSON can't hold, and what `value` itself throws.
  package static func line(_ value: some Encodable) throws -> [UInt8] {
    var writer = JSONWriter(isIndented: false)
    writer.write(try JSONNode(encoding: value))
    return writer.bytes
  }

  /// The members of an object that are strings, numbers or booleans, as text.
  ///
  /// - Throws: as ``line(_:)``.
  package static func scalars(of value: some Encodable) throws -> [String: String] {
    guard case .object(let object) = try JSONNode(encoding: value).settled else { return [:] }
    let scalars = object.members.compactMap { key, node -> (String, String)? in
      switch node.settled {
      case .string(let text): (key, text)
      case .literal(let text): text == "null" ? nil : (key, text)
      case .array, .object, .deferred: nil
      }
    }
    return Dictionary(uniqueKeysWithValues: scalars)
  }

  /// On a line for each member and element, for files that people look into. Ends with a line feed.
  package static func file(_ value: some Encodable) throws -> [UInt8] {
    var writer = JSONWriter(isIndented: true)
    writer.write(try JSONNode(encoding: value))
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}

/// A value on its way to its text.
enum JSONNode {
  /// A number, `true`, `false` or `null` as it is written.
  case literal(String)
  case string(String)
  case array(JSONElements)
  case object(JSONMembers)
  /// What another encoder has been given in the end.
  case deferred(JSONTreeEncoder)

  /// The node that a deferred one has become.
  var settled: JSONNode {
    guard case .deferred(let encoder) = self else { return self }
    return encoder.node?.settled ?? .object(JSONMembers())
  }
}

/// An array that is being filled: containers share it.
final class JSONElements {
  var nodes: [JSONNode] = []
}

/// An object that is being filled: containers share it.
final class JSONMembers {
  /// Sorted by the bytes of their keys.
  private(set) var members: [(key: String, node: JSONNode)] = []

  subscript(key: String) -> JSONNode? {
    get {
      let index = index(of: key)
      return index < members.count && members[index].key == key ? members[index].node : nil
    }
    set {
      guard let newValue else { return }
      let index = index(of: key)
      if index < members.count, members[index].key == key {
        members[index].node = newValue
      } else {
        members.insert((key, newValue), at: index)
      }
    }
  }

  /// Of the first key that is not before this one.
  private func index(of key: String) -> Int {
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      if members[middle].key.utf8.lexicographicallyPrecedes(key.utf8) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

/// Writes nodes as text.
private struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private let isIndented: Bool
  private var levels = 0

  init(isIndented: Bool) {
    self.isIndented = isIndented
    bytes.reserveCapacity(512)
  }

  mutating func write(_ node: JSONNode) {
    switch node {
    case .literal(let text): bytes.append(contentsOf: text.utf8)
    case .string(let text): write(text)
    case .array(let array):
      writeList("[", array.nodes, "]") { $0.write($1) }
    case .object(let object):
      writeList("{", object.members, "}") { writer, member in
        writer.write(member.key)
        writer.bytes.append(contentsOf: (writer.isIndented ? " : " : ":").utf8)
        writer.write(member.node)
      }
    case .deferred(let encoder): write(encoder.node ?? .object(JSONMembers()))
    }
  }

  private mutating func writeList<Item>(
    _ opening: Unicode.Scalar,
    _ items: [Item],
    _ closing: Unicode.Scalar,
    _ write: (inout JSONWriter, Item) -> Void
  ) {
    bytes.append(UInt8(ascii: opening))
    defer { bytes.append(UInt8(ascii: closing)) }
    guard !items.isEmpty else { return }
    levels += 1
    for index in items.indices {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      indent()
      write(&self, items[index])
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
