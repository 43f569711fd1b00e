import FoundationEssentials

extension JSONDecoder {
  /// Decodes a text in UTF-8. The decoder alone takes UTF-16 and UTF-32 too, which no file of ours has.
  ///
  /// - Throws: what ``decode(_:from:)`` throws, and an error for a NUL, which valid JSON in UTF-8
  ///   never has.
  func decode<Value: Decodable>(
    _ type: Value.Type,
    fromUTF8 bytes: some Collection<UInt8>
  ) throws -> Value {
    guard !bytes.contains(0) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "it has a NUL byte")
      )
    }
    return try decode(type, from: Data(bytes))
  }
}
