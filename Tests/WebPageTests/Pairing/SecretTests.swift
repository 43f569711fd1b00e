import JSON
import Testing

@testable import WebPage

struct SecretTests {
  @Test func secretsHave256BitsForURLs() {
    var random = SystemRandomNumberGenerator()
    let secrets = (0..<200).map { _ in Secret.make(using: &random) }
    #expect(Set(secrets).count == 200)
    #expect(secrets.allSatisfy { $0.utf8.count == 43 })
    let letters = Set(secrets.joined())
    #expect(letters.count == 64 && letters.allSatisfy { $0.isASCII })
    #expect(letters.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
  }

  /// Source: FIPS 180-2, B.1.
  @Test func theHashIsSHA256() throws {
    let text = String(decoding: try JSONEncoding.line(SecretHash(of: "abc")), as: UTF8.self)
    #expect(text == "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"")
    #expect(try read(text) == SecretHash(of: "abc"))
  }

  @Test func hashesOfOtherTextsDontMatch() {
    let hash = SecretHash(of: "abc")
    #expect(hash.matches(SecretHash(of: "abc")))
    for text in ["", "ab", "abcd", "abc\0", "ABC"] { #expect(!hash.matches(SecretHash(of: text))) }
  }

  @Test(arguments: ["\"\"", "\"ba78\"", "7", "\"\(String(repeating: "g", count: 64))\""])
  func whatIsNoHashIsNotRead(text: String) {
    #expect(throws: DecodingError.self) { try read(text) }
  }

  private func read(_ text: String) throws -> SecretHash {
    try JSONValue(text: Array(text.utf8)).decoded(as: SecretHash.self)
  }
}
