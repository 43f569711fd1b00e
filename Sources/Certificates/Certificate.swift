import CGnuTLS
import Glibc
package import Host

/// A program's own certificate, to which its key belongs.
package struct Certificate: Hashable, Sendable {
  /// From then on it is valid.
  package let notBefore: WallTime
  /// Until then it is valid.
  package let notAfter: WallTime
  /// The host names and addresses that it is for. A browser believes no other name.
  package let names: [String]

  /// - Parameters:
  ///   - certificate: PEM; the own one first, those that vouch for it behind it.
  ///   - key: PEM, without a passphrase.
  package init(certificate: [UInt8], key: [UInt8]) throws(CertificateError) {
    var parsed: gnutls_x509_crt_t?
    guard gnutls_x509_crt_init(&parsed) == GNUTLS_E_SUCCESS, let own = parsed else {
      fatalError("out of memory")
    }
    defer { gnutls_x509_crt_deinit(own) }
    // Alone first: with its key, GnuTLS loses the memory of one that is damaged.
    let read = Self.withPEM(certificate) { gnutls_x509_crt_import(own, &$0, GNUTLS_X509_FMT_PEM) }
    guard read >= 0 else { throw CertificateError(read) }
    var made: gnutls_certificate_credentials_t?
    guard gnutls_certificate_allocate_credentials(&made) == GNUTLS_E_SUCCESS, let pair = made else {
      fatalError("out of memory")
    }
    defer { gnutls_certificate_free_credentials(pair) }
    // Take the pair as libmicrohttpd does: that tries whether the key fits.
    let status = Self.withPEM(certificate) { certificate in
      Self.withPEM(key) {
        gnutls_certificate_set_x509_key_mem(pair, &certificate, &$0, GNUTLS_X509_FMT_PEM)
      }
    }
    guard status >= 0 else { throw CertificateError(status) }
    notBefore = WallTime(secondsSince1970: gnutls_x509_crt_get_activation_time(own))
    notAfter = WallTime(secondsSince1970: gnutls_x509_crt_get_expiration_time(own))
    names = Self.names(of: own)
  }

  package enum Validity: Hashable, Sendable {
    case early, expired
    /// The certificate is valid for so many days more, fewer than 30.
    case ending(days: Int)
    case lasting(days: Int)
  }

  package func validity(at now: WallTime) -> Validity {
    guard notBefore.duration(since: now) <= .zero else { return .early }
    let rest = notAfter.duration(since: now)
    guard rest > .zero else { return .expired }
    let days = Int(rest / .seconds(86_400))
    return days < 30 ? .ending(days: days) : .lasting(days: days)
  }

  package func isValid(at now: WallTime) -> Bool {
    switch validity(at: now) {
    case .early, .expired: false
    case .ending, .lasting: true
    }
  }

  /// Whether a browser believes it for a name or an address.
  package func covers(_ name: String) -> Bool {
    let name = name.lowercased()
    return names.map { $0.lowercased() }.contains { own in
      // A star is one label, the first.
      own == name
        || own.hasPrefix("*.") && name.drop { $0 != "." } == own.dropFirst() && !name.hasPrefix(".")
    }
  }

  private static func withPEM(
    _ bytes: [UInt8],
    _ body: (inout gnutls_datum_t) -> Int32
  ) -> Int32 {
    var bytes = bytes
    return bytes.withUnsafeMutableBufferPointer {
      var datum = gnutls_datum_t(data: $0.baseAddress, size: UInt32($0.count))
      return body(&datum)
    }
  }

  private static func names(of certificate: gnutls_x509_crt_t) -> [String] {
    var names: [String] = []
    for place in UInt32(0)... {
      var bytes = [UInt8](repeating: 0, count: 256)
      var count = bytes.count
      let kind = gnutls_x509_crt_get_subject_alt_name(certificate, place, &bytes, &count, nil)
      guard kind != GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE else { break }
      guard kind >= 0 else { continue }
      switch UInt32(kind) {
      case GNUTLS_SAN_DNSNAME.rawValue:
        names.append(String(decoding: bytes[..<count], as: UTF8.self))
      case GNUTLS_SAN_IPADDRESS.rawValue:
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = count == 4 ? AF_INET : AF_INET6
        guard [4, 16].contains(count),
          inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil
        else { break }
        names.append(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
      default: break
      }
    }
    return names
  }
}

/// Why a certificate and a key are of no use.
package struct CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  fileprivate init(_ status: Int32) {
    description =
      switch status {
      case GNUTLS_E_CERTIFICATE_KEY_MISMATCH: "the key is not the certificate's"
      case GNUTLS_E_DECRYPTION_FAILED: "the key has a passphrase: write it without one"
      case GNUTLS_E_NO_CERTIFICATE_FOUND, GNUTLS_E_BASE64_UNEXPECTED_HEADER_ERROR,
        GNUTLS_E_BASE64_DECODING_ERROR, GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE:
        "the certificate or the key is not in PEM, or is damaged"
      default: String(cString: gnutls_strerror(status))
      }
  }
}
