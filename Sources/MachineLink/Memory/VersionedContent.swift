import Host
import JSON

/// What a state file has: JSON with the number of its form.
protocol VersionedContent: Decodable {
  /// The number of the form that this program writes. One with another number is not read.
  static var version: Int { get }
  var version: Int { get }
}

extension VersionedContent {
  init(of bytes: [UInt8]) throws(StateFileError) {
    guard let content = try? JSONValue(text: bytes).decoded(as: Self.self) else {
      throw .broken("is damaged")
    }
    guard content.version == Self.version else {
      throw .broken("has version \(content.version), not \(Self.version)")
    }
    self = content
  }
}
