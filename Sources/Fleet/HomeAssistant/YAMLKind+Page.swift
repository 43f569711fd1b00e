package import YAML

extension YAMLKind where Value == String {
  /// A link's target that all of the office may know. Home Assistant refuses the whole device for one that
  /// is no URL. A secret would be for all readers of the broker: so it has no user and no fragment, in
  /// which the page's links for pairing have one.
  ///
  /// Source: Home Assistant 2026.11, `configuration_url` in `helpers/config_validation.py`
  package static var page: YAMLKind {
    .text(
      "a page's address, such as http://192.168.1.20:8080, without a user and a #",
      where: isPage
    )
  }

  private static func isPage(_ text: String) -> Bool {
    guard let scheme = ["http://", "https://"].first(where: text.hasPrefix),
      text.utf8.count <= 200, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
      !text.contains(where: { "#@\\\"<>^`{|}".contains($0) })
    else { return false }
    let authority = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
    return isHostAndPort(authority)
  }

  private static func isHostAndPort(_ authority: Substring) -> Bool {
    var port: Substring?
    var host = authority
    // Colons are an IPv6 address's, too.
    if authority.first == "[" {
      guard let end = authority.firstIndex(of: "]") else { return false }
      host = authority[authority.index(after: authority.startIndex)..<end]
      let rest = authority[authority.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else { return false }
      port = rest.isEmpty ? nil : rest.dropFirst()
      guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else {
        return false
      }
    } else {
      if let colon = authority.firstIndex(of: ":") {
        host = authority[..<colon]
        port = authority[authority.index(after: colon)...]
      }
      guard let first = host.first, let last = host.last, first.isLetter || first.isNumber,
        last != "-", host.allSatisfy({ $0.isLetter || $0.isNumber || "._-".contains($0) })
      else { return false }
    }
    guard let port else { return true }
    return port.utf8.allSatisfy { 0x30...0x39 ~= $0 } && (1...65_535).contains(Int(port) ?? 0)
  }
}
