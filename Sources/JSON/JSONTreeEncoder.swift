/// Takes what an `Encodable` says as nodes.
///
/// It keeps no coding path: nothing that encodes here asks for one, and it costs an array for each
/// member.
final class JSONTreeEncoder: Encoder {
  /// Nil until it has been given something.
  fileprivate(set) var node: JSONNode?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Several of these fill one object.
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedNodes(members: JSONMembers.shared(&node)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedNodes(elements: JSONElements.shared(&node))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONNode {
  /// - Throws: what `value` throws.
  init(encoding value: some Encodable) throws {
    let encoder = JSONTreeEncoder()
    try value.encode(to: encoder)
    // As for a struct without members.
    self = encoder.node ?? .object(JSONMembers())
  }

  fileprivate static var null: JSONNode { .literal("null") }

  fileprivate init(_ boolean: Bool) { self = .literal(boolean ? "true" : "false") }

  fileprivate init(_ number: some FixedWidthInteger) { self = .literal("\(number)") }

  /// With as few digits as tell it from all others, and none after the point where there is no
  /// fraction.
  fileprivate init(_ number: some BinaryFloatingPoint & LosslessStringConvertible) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number,
        EncodingError.Context(codingPath: [], debugDescription: "JSON has no \(number)")
      )
    }
    let text = number.description
    self = .literal(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }
}

extension JSONMembers {
  /// The object that a node is, which it becomes first if it is nothing yet.
  fileprivate static func shared(_ node: inout JSONNode?) -> JSONMembers {
    if case .object(let members) = node { return members }
    let members = JSONMembers()
    node = .object(members)
    return members
  }
}

extension JSONElements {
  /// The same for an array.
  fileprivate static func shared(_ node: inout JSONNode?) -> JSONElements {
    if case .array(let elements) = node { return elements }
    let elements = JSONElements()
    node = .array(elements)
    return elements
  }
}

private struct KeyedNodes<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let members: JSONMembers
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { members[key.stringValue] = .null }
  func encode(_ value: Bool, forKey key: Key) { members[key.stringValue] = JSONNode(value) }
  func encode(_ value: String, forKey key: Key) { members[key.stringValue] = .string(value) }

  func encode(_ value: some FixedWidthInteger & Encodable, forKey key: Key) {
    members[key.stringValue] = JSONNode(value)
  }

  func encode(
    _ value: some BinaryFloatingPoint & LosslessStringConvertible & Encodable,
    forKey key: Key
  ) throws {
    members[key.stringValue] = try JSONNode(value)
  }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    members[key.stringValue] = try JSONNode(encoding: value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let nested = JSONMembers.shared(&members[key.stringValue])
    return KeyedEncodingContainer(KeyedNodes<Nested>(members: nested))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    UnkeyedNodes(elements: JSONElements.shared(&members[key.stringValue]))
  }

  func superEncoder() -> any Encoder { superEncoder("super") }
  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key.stringValue) }

  private func superEncoder(_ key: String) -> any Encoder {
    let encoder = JSONTreeEncoder()
    members[key] = .deferred(encoder)
    return encoder
  }
}

private struct UnkeyedNodes: UnkeyedEncodingContainer {
  let elements: JSONElements
  var codingPath: [any CodingKey] { [] }
  var count: Int { elements.nodes.count }

  func encodeNil() { elements.nodes.append(.null) }

  func encode(_ value: some Encodable) throws {
    elements.nodes.append(try JSONNode(encoding: value))
  }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let members = JSONMembers()
    elements.nodes.append(.object(members))
    return KeyedEncodingContainer(KeyedNodes(members: members))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let nested = JSONElements()
    elements.nodes.append(.array(nested))
    return UnkeyedNodes(elements: nested)
  }

  func superEncoder() -> any Encoder {
    let encoder = JSONTreeEncoder()
    elements.nodes.append(.deferred(encoder))
    return encoder
  }
}

extension JSONTreeEncoder: SingleValueEncodingContainer {
  func encodeNil() { node = .null }
  func encode(_ value: Bool) { node = JSONNode(value) }
  func encode(_ value: String) { node = .string(value) }
  func encode(_ value: some FixedWidthInteger & Encodable) { node = JSONNode(value) }

  func encode(_ value: some BinaryFloatingPoint & LosslessStringConvertible & Encodable) throws {
    node = try JSONNode(value)
  }

  /// Fills the object that is there already, if `value` is an object, too.
  func encode(_ value: some Encodable) throws { try value.encode(to: self) }
}
