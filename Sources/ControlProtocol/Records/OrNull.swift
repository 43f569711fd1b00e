/// A member that is written as null where it has no value. All other optional members are left out.
/// Readers take both.
@propertyWrapper
package struct OrNull<Value: Codable & Hashable & Sendable>: Hashable, Sendable {
  package var wrappedValue: Value?

  package init() {}

  package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
}

extension OrNull: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue {
      try container.encode(wrappedValue)
    } else {
      try container.encodeNil()
    }
  }
}

extension KeyedDecodingContainer {
  /// The compiler's own `init(from:)` calls this one, so that the key may be absent.
  func decode<Value>(_ type: OrNull<Value>.Type, forKey key: Key) throws -> OrNull<Value> {
    OrNull(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
  }
}
