import COpenSSL
import Glibc

/// How one connection judges the broker's certificate and shows its own.
///
/// The certificate must be for the host that a person has configured. libmosquitto would judge the
/// address that it is given, which is one that the host's name leads to.
final class TLSContext {
  // Invariant: a connection's thread uses it, and OpenSSL within the calls of that thread.

  /// OpenSSL's own folder, on Debian.
  private static let systemAuthorities = "/etc/ssl/certs"

  private let context: OpaquePointer
  private let host: String
  /// Why the broker's certificate is not trusted; nil: it is, or none was seen.
  private(set) var distrust: Distrust?
  /// Whether the certificate is for the host as ``OldCertificateName`` has it alone.
  private(set) var hasOldName = false

  enum Distrust: Hashable {
    case otherHost
    /// OpenSSL's words.
    case other(String)
  }

  /// Reads the files of TLS. Each connection makes its own context, so that a changed file counts.
  ///
  /// - Throws: the file that is of no use.
  init(_ tls: BrokerSettings.TLS, host: String) throws(MQTTFailure) {
    // OpenSSL does not say what is wrong with a file that it can't open.
    for path in [tls.authority, tls.certificate, tls.key] {
      guard let path, access(path, R_OK) != 0 else { continue }
      throw MQTTFailure(.system, "can't read \(path): \(String(cString: strerror(errno)))")
    }
    guard let context = SSL_CTX_new(TLS_client_method()) else {
      throw MQTTFailure(.system, "no memory for TLS")
    }
    self.context = context
    self.host = host
    ERR_clear_error()
    defer { ERR_clear_error() }
    SSL_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(self).toOpaque())
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, Self.judge)
    SSL_CTX_set_info_callback(context, Self.askForHost)
    // OpenSSL would ask the terminal for a key's passphrase.
    SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
    guard openssl_set_least_version(context, TLS1_2_VERSION) == 1, setHost() else {
      throw MQTTFailure(.system, "TLS can't be set up: \(Self.reason)")
    }
    try load(tls)
  }

  deinit { SSL_CTX_free(context) }

  /// What libmosquitto takes, and holds as long as its client lives.
  var pointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(context) }

  /// The host as what a certificate must have. A name that stands in CN alone is
  /// ``OldCertificateName``'s.
  private func setHost() -> Bool {
    let wanted = SSL_CTX_get0_param(context)
    guard !Self.isAddress(host) else {
      return X509_VERIFY_PARAM_set1_ip_asc(wanted, Self.withoutZone(host)) == 1
    }
    X509_VERIFY_PARAM_set_hostflags(wanted, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
    return X509_VERIFY_PARAM_set1_host(wanted, host, 0) == 1
  }

  private func load(_ tls: BrokerSettings.TLS) throws(MQTTFailure) {
    guard let authority = tls.authority else {
      guard SSL_CTX_load_verify_dir(context, Self.systemAuthorities) == 1 else {
        throw Self.useless(Self.systemAuthorities, "the system's authorities")
      }
      return try loadOwn(tls)
    }
    guard SSL_CTX_load_verify_file(context, authority) == 1 else {
      throw Self.useless(authority, "an authority's certificate in PEM")
    }
    try loadOwn(tls)
  }

  private func loadOwn(_ tls: BrokerSettings.TLS) throws(MQTTFailure) {
    guard let certificate = tls.certificate, let key = tls.key else { return }
    guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
      throw Self.useless(certificate, "this box's certificate in PEM")
    }
    guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 else {
      throw Self.useless(key, "the key of \(certificate), in PEM and without a passphrase")
    }
  }

  private static func useless(_ path: String, _ use: String) -> MQTTFailure {
    MQTTFailure(.untrusted, "can't use \(path) as \(use): \(reason)")
  }

  /// OpenSSL's newest complaint.
  private static var reason: String {
    ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? "no reason given"
  }

  // MARK: A connection

  /// As the handshake begins: asks for the host by its name, as brokers of many names need it.
  /// libmosquitto has set the address that it was given, and an address is no lawful name there.
  /// Source: RFC 6066, 3.
  private static let askForHost: @convention(c) (OpaquePointer?, Int32, Int32) -> Void = {
    (connection, event, _) in
    guard event == SSL_CB_HANDSHAKE_START, let connection, let own = TLSContext.of(connection)
    else {
      return
    }
    _ = openssl_ask_for(connection, isAddress(own.host) ? nil : own.host)
  }

  /// Whether the handshake is over.
  static func isReady(_ connection: UnsafeMutableRawPointer?) -> Bool {
    connection.map { SSL_is_init_finished(OpaquePointer($0)) == 1 } ?? false
  }

  /// OpenSSL's question for each certificate of the chain, and for each fault of one.
  private static let judge: @convention(c) (Int32, OpaquePointer?) -> Int32 = { isGood, state in
    guard isGood == 0 else { return isGood }
    let index = SSL_get_ex_data_X509_STORE_CTX_idx()
    guard let connection = X509_STORE_CTX_get_ex_data(state, index),
      let own = TLSContext.of(OpaquePointer(connection))
    else { return 0 }
    return own.accepts(state) ? 1 : 0
  }

  private static func of(_ connection: OpaquePointer) -> TLSContext? {
    SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), 0).map {
      Unmanaged<TLSContext>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private func accepts(_ state: OpaquePointer?) -> Bool {
    let fault = X509_STORE_CTX_get_error(state)
    guard [X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH].contains(fault) else {
      distrust = .other(String(cString: X509_verify_cert_error_string(Int(fault))))
      return false
    }
    guard let certificate = X509_STORE_CTX_get0_cert(state),
      OldCertificateName.matches(
        host,
        isAddress: Self.isAddress(host),
        names: Self.names(of: certificate),
        commonName: Self.commonName(of: certificate)
      )
    else {
      distrust = .otherHost
      return false
    }
    hasOldName = true
    X509_STORE_CTX_set_error(state, X509_V_OK)
    return true
  }

  // MARK: What a certificate says

  /// Its DNS names, of subjectAltName.
  private static func names(of certificate: OpaquePointer) -> [[UInt8]] {
    guard let all = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else { return [] }
    let names = OpaquePointer(all)
    defer { GENERAL_NAMES_free(names) }
    return (0..<openssl_count(names)).compactMap { index in
      var kind: Int32 = 0
      let value = GENERAL_NAME_get0_value(openssl_name(names, index), &kind)
      guard let text = value?.assumingMemoryBound(to: ASN1_STRING.self), kind == GEN_DNS else {
        return nil
      }
      let count = Int(ASN1_STRING_length(text))
      return Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: count))
    }
  }

  private static func commonName(of certificate: OpaquePointer) -> [UInt8] {
    var text = [CChar](repeating: 0, count: 256)
    let subject = X509_get_subject_name(certificate)
    let count = X509_NAME_get_text_by_NID(subject, NID_commonName, &text, Int32(text.count))
    return text.prefix(max(0, Int(count))).map(UInt8.init(bitPattern:))
  }

  // MARK: Addresses

  /// Whether a host is an address, of IPv4 or IPv6.
  static func isAddress(_ host: String) -> Bool {
    var bytes = in6_addr()
    let address = withoutZone(host)
    return inet_pton(AF_INET, address, &bytes) == 1 || inet_pton(AF_INET6, address, &bytes) == 1
  }

  /// An address of IPv6 may have its interface behind it, `fe80::1%eth0`.
  private static func withoutZone(_ host: String) -> String { String(host.prefix { $0 != "%" }) }
}
