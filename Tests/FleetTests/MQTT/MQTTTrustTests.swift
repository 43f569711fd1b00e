import Brokers
import Fleet
import TestSupport
import Testing

/// TLS with Debian's broker. One at a time: libmosquitto sets TLS up without a lock.
@Suite(.mustEnd, .serialized) struct MQTTTrustTests {
  @Test func theCertificatesOfBothSidesAreSeen() async throws {
    let broker = try await Broker(tls: Broker.TLS(asksClients: true))
    var settings = broker.settings()
    let failure = await Party("court", at: settings).end()
    // The broker's alert, or its hang-up before it came.
    #expect([.untrusted, .lost].contains(failure?.code))
    #expect(failure?.description.contains("certificate") == true, "\(String(describing: failure))")
    settings.tls?.certificate = try broker.file("court", BrokerCertificates.client)
    settings.tls?.key = try broker.file("court.key", BrokerCertificates.key)
    let office = Party("office", at: settings)
    #expect(await office.isReady("court/+"))
    let court = Party("court", at: settings)
    #expect(await court.isReady())
    // Several messages in one of TLS's records.
    let payload = [UInt8](repeating: 1, count: 60_000)
    for number in 0..<40 {
      let message = MQTTMessage("court/state", number % 10 == 9 ? payload : [UInt8(number)])
      #expect(await court.connection.publish(message) != nil)
    }
    for number in 0..<40 {
      let message = MQTTMessage("court/state", number % 10 == 9 ? payload : [UInt8(number)])
      #expect(await office.next() == .message(message))
    }
    court.cancel()
    #expect(await court.end() == nil)
    #expect(await broker.hasSeenFarewell("court"))
  }

  @Test(arguments: [
    (BrokerCertificates.expired, "certificate has expired"),
    (BrokerCertificates.named, "certificate is not for 127.0.0.1"),
  ])
  func aCertificateThatIsNotTrustedSaysWhy(_ certificate: String, _ text: String) async throws {
    let broker = try await Broker(tls: Broker.TLS(certificate: certificate))
    let failure = await Party("court", at: broker.settings()).end()
    #expect(failure?.code == .untrusted)
    #expect(failure?.description.contains(text) == true, "\(String(describing: failure))")
  }

  @Test func aBrokerThatHangsUpOnAClientWithoutTLSIsAskedForIt() async throws {
    let broker = try await Broker(tls: Broker.TLS())
    var settings = broker.settings()
    settings.tls = nil
    let failure = await Party("court", at: settings).end()
    #expect(failure?.code == .lost)
    #expect(failure?.description.hasSuffix("does it ask for TLS there?") == true)
  }

  /// The name leads to 127.0.0.1, after an address that refuses.
  private static let chooser = AddressChooser { _ in ["127.0.0.3", "127.0.0.1"] }

  private func end(
    _ certificate: String,
    _ change: (inout BrokerSettings) -> Void = { _ in }
  ) async throws -> MQTTFailure? {
    let broker = try await Broker(tls: Broker.TLS(certificate: certificate))
    var settings = broker.settings()
    settings.host = "broker.example"
    change(&settings)
    return await Party("court", at: settings, chooser: Self.chooser).end()
  }

  @Test func aChosenAddressIsJudgedByTheNameThatWasConfigured() async throws {
    let broker = try await Broker(tls: Broker.TLS(certificate: BrokerCertificates.named))
    var settings = broker.settings()
    for host in ["broker.example", "BROKER.example"] {
      settings.host = host
      #expect(await Party("court", at: settings, chooser: Self.chooser).isReady())
    }
  }

  /// The certificate of the address is not the name's.
  @Test(arguments: [
    (BrokerCertificates.server, "broker.example", "certificate is not for broker.example"),
    (BrokerCertificates.expired, "127.0.0.1", "certificate has expired"),
    (BrokerCertificates.selfSigned, "127.0.0.1", "self-signed certificate"),
    (BrokerCertificates.selfSigned, "broker.example", "self-signed certificate"),
  ])
  func aChosenAddressIsNoReasonToTrust(
    _ certificate: String,
    _ host: String,
    _ text: String
  ) async throws {
    let failure = try await end(certificate) { $0.host = host }
    #expect(failure?.code == .untrusted)
    #expect(failure?.description.contains(text) == true, "\(String(describing: failure))")
  }

  @Test(arguments: ["other.example", "example", "a.broker.example", "127.0.0.1", "::1"])
  func aChosenAddressOfAnotherNameIsNotTrusted(_ host: String) async throws {
    let failure = try await end(BrokerCertificates.named) { $0.host = host }
    #expect(failure?.code == .untrusted)
    let text = "certificate is not for \(host), port"
    #expect(failure?.description.contains(text) == true, "\(String(describing: failure))")
  }

  @Test func aChosenAddressOfAnUnknownAuthorityIsNotTrusted() async throws {
    let failure = try await end(BrokerCertificates.named) { $0.tls?.authority = nil }
    #expect(failure?.code == .untrusted)
    let text = "unable to get local issuer certificate"
    let chain = "self-signed certificate in certificate chain"
    let said = failure?.description ?? ""
    #expect(said.contains(text) || said.contains(chain), "\(said)")
  }

  /// - Parameter hasOldName: whether today's rules refuse it, which libmosquitto 2.0 took.
  @Test(arguments: [
    (BrokerCertificates.selfSigned, "127.0.0.1", false),
    (BrokerCertificates.addressAsName, "127.0.0.1", true),
    (BrokerCertificates.addressInCN, "127.0.0.1", true),
    (BrokerCertificates.nameInCN, "broker.example", true),
  ])
  func aClubsOldCertificateIsTaken(
    _ certificate: String,
    _ host: String,
    hasOldName: Bool
  ) async throws {
    let broker = try await Broker(tls: Broker.TLS(certificate: certificate))
    let authority = try broker.file("own", certificate)
    var settings = broker.settings(tls: BrokerSettings.TLS(authority: authority))
    settings.host = host
    let memory = BrokerMemory()
    let court = Party("court", at: settings, chooser: Self.chooser, memory: memory)
    #expect(await court.isReady())
    #expect(memory.hasOldName == hasOldName && memory.version == .v5)
    // It must still be one of the authority's.
    settings.tls?.authority = try broker.file("other", TestCertificate.certificate)
    let failure = await Party("court", at: settings, chooser: Self.chooser).end()
    #expect(failure?.code == .untrusted)
    #expect(failure?.description.contains("self-signed") == true, "\(String(describing: failure))")
  }

  /// A broker of many names chooses its certificate by the name, and an address is none.
  @Test(arguments: [("broker.example", true), ("127.0.0.1", false), ("::1", false)])
  func theBrokerIsAskedForByName(_ host: String, isNamed: Bool) async throws {
    let listener = try LocalListener()
    let settings = BrokerSettings(host: host, port: listener.port, tls: BrokerSettings.TLS())
    // One address: no other connection comes before.
    let chooser = AddressChooser { _ in ["127.0.0.1"] }
    let court = Party("court", at: settings, chooser: chooser)
    let hello = await listener.greeting()
    // The kind of a handshake's record, and a greeting's.
    #expect(hello.first == 22 && hello.count > 100)
    #expect((hello.firstRange(of: host.utf8) != nil) == isNamed)
    // 127.0.0.1 as text would be as long as that.
    #expect(hello.firstRange(of: "127.0.0.1".utf8) == nil)
    withExtendedLifetime(court) {}
  }

  @Test func anUnknownAuthorityIsNotTrusted() async throws {
    let broker = try await Broker(tls: Broker.TLS())
    let other = try broker.file("other", TestCertificate.certificate)
    for tls in [BrokerSettings.TLS(authority: other), BrokerSettings.TLS()] {
      let failure = await Party("court", at: broker.settings(tls: tls)).end()
      #expect(failure?.code == .untrusted)
      let text = "self-signed certificate in certificate chain"
      #expect(failure?.description.contains(text) == true, "\(String(describing: failure))")
    }
  }

  @Test func filesOfNoUseAreNamed() async throws {
    let broker = try await Broker(tls: Broker.TLS())
    var settings = broker.settings()
    settings.tls?.authority = "/no/authority"
    var failure = await Party("court", at: settings).end()
    #expect(failure?.description == "can't read /no/authority: No such file or directory")
    settings = broker.settings()
    settings.tls?.certificate = try broker.file("court", BrokerCertificates.client)
    settings.tls?.key = try broker.file("locked.key", TestCertificate.lockedKey)
    failure = await Party("court", at: settings).end()
    #expect(failure?.code == .untrusted)
    #expect(failure?.description.contains("locked.key") == true)
    for (file, change) in [
      ("authority.txt", { $0.authority = try broker.file("authority.txt", "none") }),
      ("court.txt", { $0.certificate = try broker.file("court.txt", "none") }),
      ("other.key", { $0.key = try broker.file("other.key", TestCertificate.key) }),
    ] as [(String, (inout BrokerSettings.TLS) throws -> Void)] {
      var tls = BrokerSettings.TLS(
        authority: settings.tls?.authority,
        certificate: settings.tls?.certificate,
        key: try broker.file("court.key", BrokerCertificates.key)
      )
      try change(&tls)
      failure = await Party("court", at: broker.settings(tls: tls)).end()
      #expect(failure?.code == .untrusted)
      #expect(
        failure?.description.contains("/\(file) as ") == true,
        "\(String(describing: failure))"
      )
    }
  }

  @Test func filesOfTLSAreReadAgain() async throws {
    let broker = try await Broker(tls: Broker.TLS(asksClients: true))
    let tls = BrokerSettings.TLS(
      authority: try broker.file("ca", "none"),
      certificate: try broker.file("court", BrokerCertificates.client),
      key: try broker.file("court.key", TestCertificate.key)
    )
    let settings = broker.settings(tls: tls)
    #expect(await Party("court", at: settings).end()?.description.contains("/ca as ") == true)
    _ = try broker.file("ca", BrokerCertificates.authority)
    #expect(await Party("court", at: settings).end()?.description.contains("court.key as ") == true)
    _ = try broker.file("court.key", BrokerCertificates.key)
    #expect(await Party("court", at: settings).isReady())
  }

  @Test func whereOneSideHasNoTLSThereIsNoConnection() async throws {
    let secure = try await Broker(tls: Broker.TLS())
    var settings = secure.settings()
    settings.tls = nil
    #expect([.lost, .strange].contains(await Party("court", at: settings).end()?.code))
    let plain = try await Broker()
    settings = plain.settings(tls: secure.settings().tls)
    let failure = await Party("court", at: settings).end()
    #expect([.lost, .strange].contains(failure?.code), "\(String(describing: failure))")
    #expect(failure?.description.contains("TLS") == true, "\(String(describing: failure))")
  }

  /// OpenSSL's handshake takes a reset for something to wait for, once.
  @Test func aHangUpInTheHandshakeIsNoticed() async throws {
    let listener = try LocalListener()
    let secure = try await Broker(tls: Broker.TLS())
    var settings = secure.settings()
    settings.port = listener.port
    async let failure = Party("court", at: settings).end()
    for _ in 0..<2 { await listener.reset() }
    #expect(await failure?.code == .lost)
    // It may be a broker without TLS, or one that misses a certificate.
    #expect(await failure?.description.contains("does it speak TLS there") == true)
  }
}
