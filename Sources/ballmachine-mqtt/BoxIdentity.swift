import Host
import Programs

/// Which box this is on a broker: 32 hexadecimal digits, made once.
enum BoxIdentity {
  private static let length = 32

  static func load(in directory: StateDirectory) throws -> String {
    let file = StateFile("box", in: directory, mode: 0o600)
    do throws(StateFileError) {
      if let known = try read(file) { return known }
      let new = (0..<length).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
      try file.write(Array("\(new)\n".utf8))
      return new
    } catch { throw Failure(.cannotCreate, "\(file.path): \(error)") }
  }

  /// - Returns: nil if it isn't made yet, or can't be read.
  static func known(in directory: StateDirectory) -> String? {
    try? read(StateFile("box", in: directory))
  }

  private static func read(_ file: StateFile) throws(StateFileError) -> String? {
    guard let bytes = try file.read() else { return nil }
    let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    guard text.utf8.count == length, text.allSatisfy(\.isHexDigit) else { return nil }
    return text
  }
}
