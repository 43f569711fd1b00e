import CGnuTLS

/// The digest that names contents.
enum SHA256 {
  /// - Returns: 32 bytes.
  static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    let status = gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest)
    precondition(status == 0, "GnuTLS has no SHA-256")
    return digest
  }

  /// As `Content-Security-Policy` has it: `sha256-` and base64 (RFC 4648, 4).
  static func source(_ bytes: [UInt8]) -> String {
    let digest = digest(bytes)
    let digits = stride(from: 0, to: digest.count, by: 3).map { begin in
      let three = digest[begin..<min(begin + 3, digest.count)]
      let bits = three.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - three.count))
      return (0..<4).map { $0 <= three.count ? base64[bits >> (18 - 6 * $0) & 63] : "=" }
    }
    return "sha256-" + String(digits.joined())
  }

  private static let base64 = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  )
}
