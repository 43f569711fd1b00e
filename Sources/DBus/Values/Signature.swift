import CBlueZ

/// A sequence of complete types, such as `sa{sv}as`. If built from a string, it is valid.
package struct Signature: Hashable, Sendable, CustomStringConvertible {
  package let types: [ValueType]

  /// Fails with ``DBusError/invalidSignature``, also beyond 255 bytes or 32 nested arrays or
  /// structures.
  package init(_ string: String) throws(DBusError) {
    guard !string.utf8.contains(0), dbus_signature_validate(string, nil) != 0 else {
      throw Signature.refusal(string)
    }
    var rest = string.utf8[...]
    var types: [ValueType] = []
    while !rest.isEmpty {
      guard let type = ValueType(next: &rest) else { throw Signature.refusal(string) }
      types.append(type)
    }
    self.types = types
  }

  /// The types are checked when the signature is sent.
  package init(_ types: [ValueType]) {
    self.types = types
  }

  package var string: String { types.map(\.code).joined() }

  package var description: String { string }

  private static func refusal(_ string: String) -> DBusError {
    DBusError(
      name: DBusError.invalidSignature,
      message: "\(string.prefix(80).debugDescription) is not a valid signature."
    )
  }
}

extension ValueType {
  /// Takes the next type of a valid signature; nil for one that this module doesn't know, `h`.
  fileprivate init?(next rest: inout Substring.UTF8View) {
    switch rest.removeFirst() {
    case UInt8(ascii: "a") where rest.first == UInt8(ascii: "{"):
      rest.removeFirst()
      guard let key = ValueType(next: &rest), let value = ValueType(next: &rest) else { return nil }
      rest.removeFirst()
      self = .dictionary(key: key, value: value)
    case UInt8(ascii: "a"):
      guard let element = ValueType(next: &rest) else { return nil }
      self = .array(element)
    case UInt8(ascii: "("):
      var members: [ValueType] = []
      while rest.first != UInt8(ascii: ")") {
        guard let member = ValueType(next: &rest) else { return nil }
        members.append(member)
      }
      rest.removeFirst()
      self = .structure(members)
    case let letter: self.init(letter: letter)
    }
  }
}
