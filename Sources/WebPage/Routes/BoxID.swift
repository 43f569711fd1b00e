package import Host

/// Tells the box on which a page was made from another one that has its address since: 256 random bits.
///
/// It stands beside the sockets, where it lasts until the box starts again: no copy of a card has it.
package struct BoxID: Hashable, Sendable {
  private static let name = "id"

  package let text: String

  package init() {
    var generator = SystemRandomNumberGenerator()
    text = Secret.make(using: &generator)
  }

  private init?(_ bytes: [UInt8]?) {
    // HTML has it.
    guard let bytes, let text = String(validating: bytes, as: UTF8.self), Secret.isOne(text) else {
      return nil
    }
    self.text = text
  }

  /// The ID of earlier runs, or a new one.
  ///
  /// - Parameter report: gets why it is another one in each run.
  package static func load(in folder: String, report: (SystemError) -> Void) -> BoxID {
    let path = "\(folder)/\(name)"
    if let kept = BoxID(try? InputFile.bytes(path, longest: 64)) { return kept }
    let new = BoxID()
    do throws(SystemError) {
      try ReplacedFile.write(Array(new.text.utf8), to: path)
    } catch {
      report(error)
    }
    return new
  }
}
