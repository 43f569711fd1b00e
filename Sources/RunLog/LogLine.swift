package import JSON

/// A line of a run log. Each reader decodes only what it needs of it: a log of the protocol's
/// first version, or one made by hand, lacks what other readers need.
package struct LogLine {
  package let event: String
  package let record: JSONValue

  package init(_ text: [UInt8]) throws {
    record = try JSONValue(text: text)
    event = try record["event"].decoded()
  }

  /// The record's time, in seconds on the service's clock.
  package var t: Double? { record["t"]?.number }

  /// The protocol's version of the records, as a file's first line says it.
  package var version: Int {
    get throws {
      // The name of the protocol's first version is `version`.
      try (record["protocol"] ?? record["version"]).decoded()
    }
  }
}

extension JSONValue? {
  /// - Throws: where there is no such value.
  package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try (self ?? .null).decoded(as: type)
  }
}
