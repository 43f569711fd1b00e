import Testing

@testable import Fleet

struct OldCertificateNameTests {
  private func matches(_ host: String, _ names: [String], _ commonName: String = "") -> Bool {
    OldCertificateName.matches(
      host,
      isAddress: TLSContext.isAddress(host),
      names: names.map { Array($0.utf8) },
      commonName: Array(commonName.utf8)
    )
  }

  @Test(arguments: [
    ("127.0.0.1", ["127.0.0.1"], ""), ("127.0.0.1", [], "127.0.0.1"), ("::1", ["a", "::1"], ""),
    ("2001:db8::A", ["2001:DB8::a"], ""), ("broker.lan", ["*.lan"], ""), ("Broker", [], "bROKER"),
    ("broker.lan", [], "*.lan"), ("a.b.example", ["*.b.example"], ""),
  ])
  func whatLibmosquitto20Took(_ host: String, _ names: [String], _ commonName: String) {
    #expect(matches(host, names, commonName))
  }

  @Test(arguments: [
    ("127.0.0.1", ["127.0.0.2"], "127.0.0.1"), ("127.0.0.1", ["*.0.0.1"], ""),
    ("127.0.0.1", ["127.0.0.1\0.example"], ""), ("broker.lan", ["other.lan"], "broker.lan"),
    ("lan", ["*.lan"], ""), ("a.broker.lan", ["*.lan"], ""), ("broker", [], ""),
    ("broker", [""], ""),
    // U+212A's lower case is a k.
    ("broker", ["bro\u{212A}er"], ""), ("broker.lan", ["*"], ""), ("broker.lan", ["b*.lan"], ""),
  ])
  func whatIsAnotherHost(_ host: String, _ names: [String], _ commonName: String) {
    #expect(!matches(host, names, commonName))
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("::1", true), ("fe80::1%eth0", true), ("broker", false), ("127.1", false),
  ])
  func addresses(_ host: String, isAddress: Bool) {
    #expect(TLSContext.isAddress(host) == isAddress)
  }
}
