/// How libmosquitto 2.0 took a certificate to be for a host where today's rules don't: an address
/// among the DNS names, a name in CN alone, a wildcard right below the top, `*.lan`.
///
/// Clubs have such certificates. Source: mosquitto 2.0.11, lib/tls_mosq.c; other than there, a zero
/// byte ends no name, and an address matches no wildcard.
enum OldCertificateName {
  /// - Parameters:
  ///   - names: the certificate's DNS names.
  ///   - commonName: its CN, which counts where there is no DNS name.
  static func matches(_ host: String, isAddress: Bool, names: [[UInt8]], commonName: [UInt8])
    -> Bool
  {
    (names.isEmpty ? [commonName] : names).contains {
      matches(Array(host.utf8), $0, hasWildcards: !isAddress)
    }
  }

  private static func matches(_ host: [UInt8], _ name: [UInt8], hasWildcards: Bool) -> Bool {
    guard hasWildcards, name.starts(with: "*.".utf8) else { return isSame(name[...], host[...]) }
    guard let dot = host.firstIndex(of: UInt8(ascii: ".")) else { return false }
    return isSame(name.dropFirst(2), host[dot...].dropFirst())
  }

  /// Apart from the case of ASCII's letters.
  private static func isSame(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    return !one.isEmpty && one.elementsEqual(other) { lower($0) == lower($1) }
  }
}
