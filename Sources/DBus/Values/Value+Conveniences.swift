extension Value {
  /// `a{sv}`: each value that is no variant is wrapped in one.
  package static func properties(_ properties: [String: Value]) -> Value {
    var entries: [Value: Value] = [:]
    for (name, value) in properties {
      if case .variant = value {
        entries[.string(name)] = value
      } else {
        entries[.string(name)] = .variant(value)
      }
    }
    return .dictionary(key: .string, value: .variant, entries)
  }

  /// `as`.
  package static func strings(_ strings: [String]) -> Value {
    .array(of: .string, strings.map(Value.string))
  }

  /// The value without the variants around it.
  package var unwrapped: Value {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }
}

// The value as one type, without variants around it; nil for a value of another type.
extension Value {
  /// `a{sv}` with its values unwrapped.
  package var properties: [String: Value]? {
    guard case .dictionary(.string, .variant, let entries) = unwrapped else { return nil }
    var properties: [String: Value] = [:]
    for case (.string(let name), let value) in entries { properties[name] = value.unwrapped }
    return properties
  }

  package var strings: [String]? {
    guard case .array(.string, let elements) = unwrapped else { return nil }
    return elements.compactMap(\.string)
  }

  package var string: String? { if case .string(let value) = unwrapped { value } else { nil } }

  package var objectPath: ObjectPath? {
    if case .objectPath(let value) = unwrapped { value } else { nil }
  }

  package var bytes: [UInt8]? { if case .bytes(let value) = unwrapped { value } else { nil } }
  package var bool: Bool? { if case .boolean(let value) = unwrapped { value } else { nil } }
  package var int16: Int16? { if case .int16(let value) = unwrapped { value } else { nil } }
  package var uint16: UInt16? { if case .uint16(let value) = unwrapped { value } else { nil } }
  package var uint32: UInt32? { if case .uint32(let value) = unwrapped { value } else { nil } }
}
