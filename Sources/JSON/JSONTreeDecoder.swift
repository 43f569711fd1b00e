extension JSONValue {
  /// The value as a type of ours; members that it doesn't know are left out.
  ///
  /// - Throws: `DecodingError`, which names the key that is missing or wrong.
  package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    try JSONTreeDecoder(value: self, parents: [], key: nil).decode(type)
  }
}

/// Gives a value's parts to a `Decodable`.
private struct JSONTreeDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  /// The path but for its last key: only a few values are ever asked for theirs.
  let parents: [any CodingKey]
  /// Nil for the outermost value.
  let key: (any CodingKey)?

  var codingPath: [any CodingKey] { parents + [key].compactMap(\.self) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: JSONValue].self) }
    return KeyedDecodingContainer(KeyedValues(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([JSONValue].self) }
    return UnkeyedValues(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  // MARK: Single values

  func decodeNil() -> Bool { value == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let boolean = value.boolean else { throw mismatch(type) }
    return boolean
  }

  func decode(_ type: String.Type) throws -> String {
    guard let text = value.string else { throw mismatch(type) }
    return text
  }

  func decode<Number: BinaryFloatingPoint & Decodable>(_ type: Number.Type) throws -> Number {
    guard let number = value.number else { throw mismatch(type) }
    return Number(number)
  }

  /// A number such as 7.0 is a whole one, too.
  func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
    let number: Number? =
      switch value {
      case .integer(let number): Number(exactly: number)
      case .number(let number): Number(exactly: number)
      default: throw mismatch(type)
      }
    guard let number else {
      throw DecodingError.dataCorrupted(context("it does not fit into \(type)"))
    }
    return number
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try type.init(from: self) }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    let context = context("it is \(value.kind)")
    return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  private func context(_ text: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: text)
  }
}

extension JSONValue {
  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .integer, .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: JSONValue]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

  /// Numbers and texts come by this way, too: they ask the decoder for a single value.
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { unused() }
  func superDecoder() -> any Decoder { unused() }
  func superDecoder(forKey key: Key) -> any Decoder { unused() }

  private func decoder(_ key: Key) throws -> JSONTreeDecoder {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: codingPath,
          debugDescription: "there is no \(key.stringValue)"
        )
      )
    }
    return JSONTreeDecoder(value: value, parents: codingPath, key: key)
  }
}

private struct UnkeyedValues: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try decoder(Never?.self).decodeNil() else { return false }
    currentIndex += 1
    return true
  }

  /// An element that can't be decoded is not passed.
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try decoder(type).decode(type)
    currentIndex += 1
    return value
  }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    unused()
  }
  func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { unused() }
  func superDecoder() -> any Decoder { unused() }

  private func decoder(_ type: Any.Type) throws -> JSONTreeDecoder {
    let key = JSONPathKey(intValue: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: codingPath + [key],
          debugDescription: "the array ends before it"
        )
      )
    }
    return JSONTreeDecoder(value: elements[currentIndex], parents: codingPath, key: key)
  }
}

/// An element of an array on a coding path.
private struct JSONPathKey: CodingKey {
  let intValue: Int?
  let stringValue: String

  init(intValue: Int) {
    self.intValue = intValue
    stringValue = "\(intValue)"
  }

  init?(stringValue: String) { nil }
}
