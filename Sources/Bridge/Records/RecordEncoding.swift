package import FoundationEssentials

/// JSON as the whole program writes it.
package enum RecordEncoding {
  /// A value as JSON on one line, without its end, the keys sorted, so that equal values are equal
  /// texts.
  package static func line(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }
}
