/// A sequence of complete types, such as `sa{sv}as`. If built from a string, it is valid.
package struct Signature: Hashable, Sendable, CustomStringConvertible {
  package let types: [ValueType]

  /// Fails with ``DBusError/invalidSignature``, or with ``DBusError/limitsExceeded`` beyond 255
  /// bytes or 32 nested arrays or structures.
  package init(_ string: String) throws(DBusError) {
    guard string.utf8.count <= Limits.signature else {
      throw .tooLong("A signature of \(string.utf8.count) bytes is too long.")
    }
    var parser = SignatureParser(string)
    types = try parser.parse()
  }

  /// The types are checked when the signature is sent.
  package init(_ types: [ValueType]) {
    self.types = types
  }

  package var string: String { types.map(\.code).joined() }

  package var description: String { string }
}

/// Reads a signature from left to right.
private struct SignatureParser {
  private let text: String
  private var rest: Substring.UTF8View

  init(_ text: String) {
    self.text = text
    rest = text.utf8[...]
  }

  mutating func parse() throws(DBusError) -> [ValueType] {
    var types: [ValueType] = []
    while !rest.isEmpty { types.append(try completeType(arrays: 0, structures: 0)) }
    return types
  }

  private mutating func completeType(arrays: Int, structures: Int) throws(DBusError) -> ValueType {
    guard arrays <= Limits.typeDepth, structures <= Limits.typeDepth else {
      throw .tooLong("The signature \(text) nests more than \(Limits.typeDepth) deep.")
    }
    guard let letter = rest.popFirst() else { throw refusal("it ends within a type") }
    switch letter {
    case UInt8(ascii: "a"):
      if rest.first == UInt8(ascii: "{") {
        rest.removeFirst()
        return try dictionary(arrays: arrays + 1, structures: structures)
      }
      return .array(try completeType(arrays: arrays + 1, structures: structures))
    case UInt8(ascii: "("):
      return try structure(arrays: arrays, structures: structures + 1)
    default:
      guard let type = ValueType(letter: letter) else {
        throw refusal("\(Character(UnicodeScalar(letter)).debugDescription) begins no type")
      }
      return type
    }
  }

  private mutating func structure(arrays: Int, structures: Int) throws(DBusError) -> ValueType {
    var members: [ValueType] = []
    while rest.first != UInt8(ascii: ")") {
      members.append(try completeType(arrays: arrays, structures: structures))
    }
    rest.removeFirst()
    guard !members.isEmpty else { throw refusal("a structure has no members") }
    return .structure(members)
  }

  private mutating func dictionary(arrays: Int, structures: Int) throws(DBusError) -> ValueType {
    let key = try completeType(arrays: arrays, structures: structures)
    guard key.isBasic else { throw refusal("the key of a dictionary is not a basic type") }
    let value = try completeType(arrays: arrays, structures: structures)
    guard rest.popFirst() == UInt8(ascii: "}") else {
      throw refusal("a dictionary entry does not have exactly two members")
    }
    return .dictionary(key: key, value: value)
  }

  private func refusal(_ reason: String) -> DBusError {
    DBusError(
      name: DBusError.invalidSignature,
      message: "\(text.debugDescription) is not a valid signature: \(reason)."
    )
  }
}
