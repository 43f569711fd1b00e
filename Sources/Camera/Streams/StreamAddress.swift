/// The address of a camera at the network, without what a person must keep secret.
package struct StreamAddress: Hashable, Sendable, CustomStringConvertible {
  /// Why a text is no such address. It never repeats the text, which may hold a password.
  package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  package static let form = "an address such as rtsp://192.168.1.20:554/stream2"
  private static let schemes = ["rtsp", "rtsps", "http", "https"]
  private static let longest = 1_000

  package let scheme: String
  /// What follows `://`.
  let rest: String

  package var description: String { "\(scheme)://\(rest)" }
  /// Whether its pictures say when they were taken: JPEGs over HTTP don't.
  var hasStamps: Bool { scheme.hasPrefix("rtsp") }
  /// Whether the camera wants its user and password in the address itself, in these places.
  var hasPlaces: Bool { rest.has(Self.userPlace) || rest.has(Self.passwordPlace) }

  static let userPlace = "{user}"
  static let passwordPlace = "{password}"

  package init(_ text: String) throws(Refusal) {
    guard let mark = text.firstIndex(of: ":"), text[mark...].hasPrefix("://") else {
      throw Refusal(description: "is not \(Self.form)")
    }
    scheme = text[..<mark].lowercased()
    rest = String(text[mark...].dropFirst(3))
    guard Self.schemes.contains(scheme) else {
      throw Refusal(description: "begins with none of \(Self.schemes.joined(separator: ", "))")
    }
    guard !rest.contains("@"), !Self.namesPassword(rest) else {
      throw Refusal(
        description: "has a user or a password in it, which others could read here: write "
          + "USER:PASSWORD into a file of mode 0600, name it with camera.password-file, and leave "
          + "them out of the address, or write {user} and {password} where the camera wants them"
      )
    }
    let isPlain = rest.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    guard isPlain, rest.utf8.count <= Self.longest, let first = rest.first, first != "/" else {
      throw Refusal(description: "is not \(Self.form), in at most \(Self.longest) characters")
    }
  }

  /// Whether it seems to hold a password, as in `/user=admin_password=secret_channel=1`.
  private static func namesPassword(_ rest: String) -> Bool {
    let text = rest.lowercased()
    return ["password=", "passwd=", "pass=", "pwd="].contains { name in
      text.indices.contains { place in
        let found = text[place...]
        return found.hasPrefix(name) && !found.dropFirst(name.count).hasPrefix(passwordPlace)
      }
    }
  }
}
