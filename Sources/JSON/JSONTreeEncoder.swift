extension JSONValue {
  /// What `value` encodes; a ``JSONValue`` is that already.
  ///
  /// - Throws: `EncodingError` for a number that ``JSONValue`` can't hold, and what `value` throws.
  package init(encoding value: some Encodable) throws {
    if let value = value as? JSONValue {
      self = value
      return
    }
    let encoder = JSONTreeEncoder()
    try value.encode(to: encoder)
    self = encoder.value
  }

  fileprivate init(_ number: some FixedWidthInteger) throws {
    guard let integer = Int64(exactly: number) else { throw Self.noNumber(number) }
    self = .integer(integer)
  }

  /// A Float becomes the Double that is written like it.
  fileprivate init(_ number: some BinaryFloatingPoint & LosslessStringConvertible) throws {
    guard number.isFinite, let double = number as? Double ?? Double(number.description) else {
      throw Self.noNumber(number)
    }
    self = .number(double)
  }

  static func noNumber(_ number: Any) -> EncodingError {
    let context = EncodingError.Context(codingPath: [], debugDescription: "JSON has no \(number)")
    return .invalidValue(number, context)
  }
}

/// Takes what an `Encodable` says as a ``JSONValue``.
///
/// It keeps no coding path: nothing that encodes here asks for one, and it costs an array for each
/// member.
private final class JSONTreeEncoder: Encoder, SingleValueEncodingContainer {
  private var single: JSONValue?
  var elements: [JSONValue]?
  /// Several containers fill one object.
  var members: [String: JSONValue]?
  /// Containers in that object, such as an enum's case with values has.
  var nested: [String: JSONTreeEncoder] = [:]

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// An empty object if it has been given nothing, as by a struct without members.
  var value: JSONValue {
    for (key, encoder) in nested { members?[key] = encoder.value }
    return single ?? elements.map(JSONValue.array) ?? .object(members ?? [:])
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    members = members ?? [:]
    return KeyedEncodingContainer(ObjectEncoder(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    elements = elements ?? []
    return ArrayEncoder(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  // MARK: Single values

  func encodeNil() { single = .null }
  func encode(_ value: Bool) { single = .boolean(value) }
  func encode(_ value: String) { single = .string(value) }
  func encode(_ value: some FixedWidthInteger & Encodable) throws { single = try JSONValue(value) }

  func encode(_ value: some BinaryFloatingPoint & LosslessStringConvertible & Encodable) throws {
    single = try JSONValue(value)
  }

  /// Fills the object that is there already, if `value` is an object, too.
  func encode(_ value: some Encodable) throws { try value.encode(to: self) }
}

private struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: JSONTreeEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { set(key, .null) }
  func encode(_ value: Bool, forKey key: Key) { set(key, .boolean(value)) }
  func encode(_ value: String, forKey key: Key) { set(key, .string(value)) }

  func encode(_ value: some FixedWidthInteger & Encodable, forKey key: Key) throws {
    set(key, try JSONValue(value))
  }

  func encode(
    _ value: some BinaryFloatingPoint & LosslessStringConvertible & Encodable,
    forKey key: Key
  ) throws {
    set(key, try JSONValue(value))
  }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    set(key, try JSONValue(encoding: value))
  }

  private func set(_ key: Key, _ value: JSONValue) { encoder.members?[key.stringValue] = value }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let nested = JSONTreeEncoder()
    encoder.nested[key.stringValue] = nested
    return nested.container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { unused() }
  func superEncoder() -> any Encoder { unused() }
  func superEncoder(forKey key: Key) -> any Encoder { unused() }
}

private struct ArrayEncoder: UnkeyedEncodingContainer {
  let encoder: JSONTreeEncoder
  var codingPath: [any CodingKey] { [] }
  var count: Int { encoder.elements?.count ?? 0 }

  func encodeNil() { encoder.elements?.append(.null) }

  func encode(_ value: some Encodable) throws {
    encoder.elements?.append(try JSONValue(encoding: value))
  }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    unused()
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { unused() }
  func superEncoder() -> any Encoder { unused() }
}

/// For what `Codable` asks of a coder, and no type of ours uses.
func unused() -> Never { fatalError("no type of ours asks a coder for this") }
