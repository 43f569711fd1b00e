extension Value {
  /// `a{sv}`: each value is wrapped in a variant, unless it is one already.
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

// What the value is, seen through variants; nil when it is something else.
extension Value {
  /// `a{sv}` with its values unwrapped.
  package var properties: [String: Value]? {
    guard case .dictionary(.string, .variant, let entries) = unwrapped else { return nil }
    var properties: [String: Value] = [:]
    for case (.string(let name), let value) in entries { properties[name] = value.unwrapped }
    return properties
  }

  package var dictionary: [Value: Value]? {
    guard case .dictionary(_, _, let entries) = unwrapped else { return nil }
    return entries
  }

  package var array: [Value]? {
    guard case .array(_, let elements) = unwrapped else { return nil }
    return elements
  }

  package var structure: [Value]? {
    guard case .structure(let members) = unwrapped else { return nil }
    return members
  }

  package var strings: [String]? {
    guard case .array(.string, let elements) = unwrapped else { return nil }
    return elements.compactMap(\.string)
  }

  package var objectPaths: [ObjectPath]? {
    guard case .array(.objectPath, let elements) = unwrapped else { return nil }
    return elements.compactMap(\.objectPath)
  }

  package var string: String? {
    guard case .string(let value) = unwrapped else { return nil }
    return value
  }

  package var objectPath: ObjectPath? {
    guard case .objectPath(let value) = unwrapped else { return nil }
    return value
  }

  package var signature: Signature? {
    guard case .signature(let value) = unwrapped else { return nil }
    return value
  }

  package var unixFD: OwnedFileDescriptor? {
    guard case .unixFD(let value) = unwrapped else { return nil }
    return value
  }

  package var bytes: [UInt8]? {
    guard case .bytes(let value) = unwrapped else { return nil }
    return value
  }

  package var bool: Bool? {
    guard case .boolean(let value) = unwrapped else { return nil }
    return value
  }

  package var byte: UInt8? {
    guard case .byte(let value) = unwrapped else { return nil }
    return value
  }

  package var int16: Int16? {
    guard case .int16(let value) = unwrapped else { return nil }
    return value
  }

  package var uint16: UInt16? {
    guard case .uint16(let value) = unwrapped else { return nil }
    return value
  }

  package var int32: Int32? {
    guard case .int32(let value) = unwrapped else { return nil }
    return value
  }

  package var uint32: UInt32? {
    guard case .uint32(let value) = unwrapped else { return nil }
    return value
  }

  package var int64: Int64? {
    guard case .int64(let value) = unwrapped else { return nil }
    return value
  }

  package var uint64: UInt64? {
    guard case .uint64(let value) = unwrapped else { return nil }
    return value
  }

  package var double: Double? {
    guard case .double(let value) = unwrapped else { return nil }
    return value
  }
}
