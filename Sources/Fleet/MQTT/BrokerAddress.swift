import YAML

/// A broker's address as people write it: `HOST[:PORT]`, or `mqtts://[USER@]HOST[:PORT]`.
package struct BrokerAddress: Hashable, Sendable {
  package struct Refusal: Error, Hashable, CustomStringConvertible {
    /// Completes a sentence that begins with the address.
    package var description: String
  }

  /// As it was written.
  package let text: String
  package private(set) var host = ""
  package private(set) var port: Int?
  package private(set) var user: String?
  /// Whether a password stands in it, which other users of the box see in the list of processes.
  package private(set) var hasPassword = false
  /// Nil: it says nothing of TLS.
  package private(set) var isEncrypted: Bool?

  /// Schemes, and whether each has TLS.
  private static let schemes = [
    "mqtt": false, "tcp": false, "mqtts": true, "ssl": true, "tls": true,
  ]

  /// Whether a text begins with a scheme.
  package static func hasScheme(_ text: String) -> Bool { schemeEnd(of: text) != nil }

  private static let mark = "://"

  /// Where what divides a scheme from the rest begins.
  private static func schemeEnd(of text: String) -> String.Index? {
    text.firstIndex(of: ":").flatMap { text[$0...].hasPrefix(mark) ? $0 : nil }
  }

  package init(_ text: String) throws(Refusal) {
    self.text = text
    guard let end = Self.schemeEnd(of: text) else {
      try setPlace(text[...], or: Refusal(description: "is no HOST[:PORT]"))
      return
    }
    let scheme = text[..<end].lowercased()
    guard let isEncrypted = Self.schemes[scheme] else {
      guard !["ws", "wss"].contains(scheme) else {
        throw Refusal(
          description:
            "is MQTT over WebSockets, which this program does not speak: give the broker's "
            + "port for MQTT itself, mqtts://HOST[:PORT]"
        )
      }
      throw Refusal(description: "is neither mqtts://HOST[:PORT] nor mqtt://HOST[:PORT]")
    }
    self.isEncrypted = isEncrypted
    var rest = text[end...].dropFirst(Self.mark.count)
    if rest.last == "/" { rest.removeLast() }
    if let end = rest.lastIndex(of: "@") {
      try setUser(rest[..<end])
      rest = rest[end...].dropFirst()
    }
    try setPlace(rest, or: Refusal(description: "is no \(scheme)://[USER@]HOST[:PORT]"))
  }

  private mutating func setUser(_ text: Substring) throws(Refusal) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    hasPassword = parts.count > 1
    guard !parts[0].isEmpty else { throw Refusal(description: "has no user's name before its @") }
    guard let name = Self.decoded(parts[0]) else {
      throw Refusal(description: "has a % in its user's name that stands for no character")
    }
    user = name
  }

  /// An IPv6 address with a port stands in brackets.
  private mutating func setPlace(_ text: Substring, or refusal: Refusal) throws(Refusal) {
    var host = text
    var port = ""[...]
    if text.first == "[", let end = text.firstIndex(of: "]") {
      host = text[..<end].dropFirst()
      port = text[end...].dropFirst()
    } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      port = text[colon...]
    }
    let digits = port.dropFirst()
    let number = port.first == ":" && digits.first != "+" ? Int(digits) : nil
    guard !host.isEmpty, !host.contains(where: "/?#@[] ".contains),
      !host.contains(":") || TLSContext.isAddress(String(host)),
      port.isEmpty || (1...65_535).contains(number ?? 0)
    else { throw refusal }
    self.host = String(host)
    self.port = number
  }

  /// - Returns: nil if a `%` is not followed by two hexadecimal digits, or the bytes are no text.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.count == 2, digits.first != "+", let byte = UInt8(digits, radix: 16) else {
        return nil
      }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// What a configuration says in its place, whose keys are apart.
  var advice: String {
    var keys = ["host: \(host.asYAML)"]
    if let port { keys.append("port: \(port)") }
    if let user { keys.append("user: \(user.asYAML)") }
    let broker = "broker: {\(keys.joined(separator: ", "))}"
    return isEncrypted == true ? "\(broker) and tls: {enabled: true}" : broker
  }
}
