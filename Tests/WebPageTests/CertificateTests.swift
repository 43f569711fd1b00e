import Certificates
import Host
import TestSupport
import Testing

struct CertificateTests {
  @Test func aPairIsReadWithItsTimesAndNames() throws {
    let pair = try pair(TestCertificate.certificate, TestCertificate.key)
    #expect(pair.names == ["court.local", "192.168.1.20", "fd00::1"])
    #expect(pair.notBefore.iso8601 == "2026-11-23T09:08:18Z")
    #expect(pair.notAfter.iso8601 == "2126-10-30T09:08:18Z")
    for (seconds, validity) in [
      (-86_400 * 29.5, Certificate.Validity.ending(days: 29)), (-86_400 * 30.5, .lasting(days: 30)),
      (1, .expired),
    ] {
      #expect(pair.validity(at: pair.notAfter.advanced(by: .seconds(seconds))) == validity)
    }
    #expect(pair.validity(at: pair.notBefore.advanced(by: .seconds(-1))) == .early)
  }

  @Test func theServersOwnCertificateComesFirst() throws {
    let chain = TestCertificate.certificate + TestCertificate.certificate
    let pair = try pair(chain, TestCertificate.key)
    #expect(pair.names.first == "court.local")
  }

  @Test(arguments: [
    (TestCertificate.certificate, TestCertificate.otherKey, "the key is not the certificate's"),
    (
      TestCertificate.certificate, TestCertificate.lockedKey,
      "the key has a passphrase: write it without one"
    ),
    (TestCertificate.key, TestCertificate.key, "not in PEM"),
    ("nonsense", TestCertificate.key, "not in PEM"),
    ("", "", "not in PEM"),
    (TestCertificate.certificate, TestCertificate.certificate, "not in PEM"),
    (TestCertificate.certificate, "", "not in PEM"),
    (String(TestCertificate.certificate.dropLast(200)), TestCertificate.key, "damaged"),
  ]) func whatIsOfNoUseSaysWhy(certificate: String, key: String, text: String) {
    let error = #expect(throws: CertificateError.self) { try pair(certificate, key) }
    #expect("\(error, default: "")".contains(text))
  }

  @Test func aNameIsCoveredAsBrowsersSee() throws {
    let pair = try pair(TestCertificate.certificate, TestCertificate.key)
    #expect(pair.covers("court.local") && pair.covers("COURT.local") && pair.covers("fd00::1"))
    for name in ["local", ".local", "a.court.local", "192.168.1.2", ""] {
      #expect(!pair.covers(name))
    }
  }

  private func pair(_ certificate: String, _ key: String) throws -> Certificate {
    try Certificate(certificate: Array(certificate.utf8), key: Array(key.utf8))
  }
}
