/// Where a broker is, and what it asks of its clients.
package struct BrokerSettings: Hashable, Sendable {
  package struct TLS: Hashable, Sendable {
    /// The authority's certificates, a path; nil: those that the system trusts.
    package var authority: String?
    /// The client's own, paths; nil: none.
    package var certificate: String?
    package var key: String?

    package init(authority: String? = nil, certificate: String? = nil, key: String? = nil) {
      self.authority = authority
      self.certificate = certificate
      self.key = key
    }
  }

  /// A name or an address.
  package var host: String
  package var port: Int
  package var user: String?
  package var password: String?
  /// Nil: plain.
  package var tls: TLS?

  package init(
    host: String,
    port: Int,
    user: String? = nil,
    password: String? = nil,
    tls: TLS? = nil
  ) {
    self.host = host
    self.port = port
    self.user = user
    self.password = password
    self.tls = tls
  }

  /// The broker's host and port, for people, within a sentence.
  package var location: String { "\(host), port \(port)" }
}
