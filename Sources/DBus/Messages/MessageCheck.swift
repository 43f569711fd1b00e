import CBlueZ

/// Refuses what the protocol does not allow: libdbus would abort the process.
///
/// How long or how deeply nested a message may be is not looked at: this program sends none that come
/// near, and the bus would only close the connection.
enum MessageCheck {
  static func check(_ arguments: [Value]) throws(DBusError) {
    for argument in arguments { try check(argument) }
    try check(arguments.map(\.type))
  }

  /// Refuses text that C would cut off. Swift's strings are always valid UTF-8.
  static func check(text: String) throws(DBusError) {
    guard !text.utf8.contains(0) else {
      throw .invalid("\(text.prefix(80).debugDescription) contains a NUL character.")
    }
  }

  private static func check(_ value: Value) throws(DBusError) {
    switch value {
    case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .objectPath,
      .bytes:
      break
    case .string(let string): try check(text: string)
    case .signature(let signature): try check(signature.types)
    case .array(let element, let elements):
      guard element != .byte else { throw .invalid("An array of bytes is written as `bytes`.") }
      for value in elements { try check(value, is: element) }
    case .dictionary(let key, let value, let entries):
      guard key.isBasic else {
        throw .invalid("The key of a dictionary is a basic type, not \(key.code).")
      }
      for entry in entries {
        try check(entry.key, is: key)
        try check(entry.value, is: value)
      }
    case .structure(let members):
      guard !members.isEmpty else { throw .invalid("A structure has at least one member.") }
      for member in members { try check(member) }
    case .variant(let inner):
      try check([inner.type])
      try check(inner)
    }
  }

  private static func check(_ value: Value, is type: ValueType) throws(DBusError) {
    let actual = value.type
    guard actual == type else {
      throw .invalid("A value of type \(actual.code) stands where \(type.code) is expected.")
    }
    try check(value)
  }

  /// The one place that checks types that were not read from a signature.
  private static func check(_ types: [ValueType]) throws(DBusError) {
    // Most are too short and too simple to be invalid.
    guard types.count > Int(DBUS_MAXIMUM_SIGNATURE_LENGTH) / 5 || !types.allSatisfy(\.isPlain)
    else { return }
    _ = try Signature(Signature(types).string)
  }
}

extension ValueType {
  /// A basic type, a variant, or a list or dictionary of these: always valid, at most five letters.
  fileprivate var isPlain: Bool {
    switch self {
    case .array(let element): element.isBasic || element == .variant
    case .dictionary(let key, let value): key.isBasic && (value.isBasic || value == .variant)
    case .structure: false
    default: true
    }
  }
}
