import Host

/// The versions of MQTT that this program speaks.
package enum MQTTVersion: String, Hashable, Sendable, CaseIterable {
  case v5 = "5"
  case v311 = "3.1.1"
}

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

  /// A name or an address. A certificate must be for it, whichever address a name leads to.
  package var host: String
  package var port: Int
  package var user: String?
  /// The path of the password file. Each connection reads it again, like the files of TLS.
  package var passwordFile: String?
  /// Nil: plain.
  package var tls: TLS?
  /// The only one to speak; nil: 5 where the broker has it.
  package var version: MQTTVersion?

  package init(
    host: String,
    port: Int,
    user: String? = nil,
    passwordFile: String? = nil,
    tls: TLS? = nil,
    version: MQTTVersion? = nil
  ) {
    self.host = host
    self.port = port
    self.user = user
    self.passwordFile = passwordFile
    self.tls = tls
    self.version = version
  }

  /// The broker's host and port, for people, within a sentence.
  package var location: String { "\(host), port \(port)" }

  /// Whether the host is an address, of IPv4 or IPv6.
  package var isAddress: Bool { TLSContext.isAddress(host) }

  /// The password as its file has it now. For a thread that may wait for a disk.
  func password() throws(MQTTFailure) -> String? {
    do throws(SystemError) { return try passwordFile.map(SecretFile.line) } catch {
      let remedy = "write the user's password there, one line, chmod 600: the next try reads it"
      throw MQTTFailure(.system, "\(error); \(remedy)")
    }
  }
}
