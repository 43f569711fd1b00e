import Testing

@testable import Fleet

@Suite struct TLSFailureTests {
  @Test(arguments: [
    ("sslv3 alert certificate expired", "refuses this box's own certificate: certificate expired"),
    ("sslv3 alert bad certificate", "refuses this box's own certificate: bad certificate"),
    ("tlsv1 alert unknown ca", "refuses this box's own certificate: unknown ca"),
    ("tlsv13 alert certificate required", "asks for a certificate of this box"),
    ("tlsv1 alert protocol version", "no TLS with here: tlsv1 alert protocol version"),
    ("certificate verify failed", "no TLS with here: certificate verify failed"),
  ])
  func anAlertIsAboutThisBoxsCertificate(_ words: String, _ text: String) {
    let failure = MQTTFailure(tls: words[...], at: "here")
    #expect(failure.code == .untrusted)
    #expect(failure.description.hasSuffix(text), "\(failure)")
  }
}
