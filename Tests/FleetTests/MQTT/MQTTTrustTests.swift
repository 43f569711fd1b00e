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
