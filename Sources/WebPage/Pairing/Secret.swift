import CGnuTLS

/// 256 random bits, of which only the hash is kept.
enum Secret {
  /// Makes a secret of 43 characters of base64url (RFC 4648, 5), which need no escape in a URL or a
  /// cookie.
  static func make(using generator: inout some RandomNumberGenerator) -> String {
    // 42 characters of six bits, and one of four: two zeros follow.
    let values = (0..<42).map { _ in Int.random(in: 0..<64, using: &generator) }
    let last = Int.random(in: 0..<16, using: &generator) << 2
    return String((values + [last]).map { alphabet[$0] })
  }

  /// Whether a text looks like one.
  static func isOne(_ text: String) -> Bool {
    text.utf8.count == 43 && text.allSatisfy(alphabet.contains)
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  )
}

/// The SHA-256 of a ``Secret``. Without a salt: no dictionary has the secret.
struct SecretHash: Hashable, Sendable {
  private var bytes: [UInt8]

  init(of secret: String) {
    bytes = SHA256.digest(Array(secret.utf8))
  }

  /// Takes the same time whether or not they are equal.
  func matches(_ other: SecretHash) -> Bool { gnutls_memcmp(bytes, other.bytes, bytes.count) == 0 }
}

/// Written as hexadecimal digits.
extension SecretHash: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let digits = try container.decode(String.self).utf8.compactMap { byte in
      Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }
    guard digits.count == 64 else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "it is no hash")
    }
    bytes = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let digits = Array("0123456789abcdef")
    try container.encode(String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }))
  }
}
