import DBus
import Testing

struct SignatureTests {
  @Test(arguments: [
    "", "y", "b", "n", "q", "i", "u", "x", "t", "d", "s", "o", "g", "v",
    "ay", "as", "aay", "a{sv}", "a{oa{sa{sv}}}", "(s)", "(sv)", "(s(ii)as)", "a(oa{sv})",
    "a{y(nqiuxtd)}", "sa{sv}as", "aaaav",
    String(repeating: "a", count: 32) + "y",
    String(repeating: "(", count: 32) + "y" + String(repeating: ")", count: 32),
    String(repeating: "y", count: 255),
  ])
  func aValidSignatureReadsBackAsItself(_ text: String) throws {
    #expect(try Signature(text).string == text)
  }

  @Test(arguments: [
    ("a", DBusError.invalidSignature),
    ("(", DBusError.invalidSignature),
    (")", DBusError.invalidSignature),
    ("()", DBusError.invalidSignature),
    ("(s", DBusError.invalidSignature),
    ("s)", DBusError.invalidSignature),
    ("{sv}", DBusError.invalidSignature),
    ("a{}", DBusError.invalidSignature),
    ("a{s}", DBusError.invalidSignature),
    ("a{sv", DBusError.invalidSignature),
    ("a{svv}", DBusError.invalidSignature),
    ("a{vs}", DBusError.invalidSignature),
    ("a{ass}", DBusError.invalidSignature),
    ("a{(s)s}", DBusError.invalidSignature),
    ("({sv})", DBusError.invalidSignature),
    ("z", DBusError.invalidSignature),
    ("r", DBusError.invalidSignature),
    ("e", DBusError.invalidSignature),
    ("s ", DBusError.invalidSignature),
    ("s\0", DBusError.invalidSignature),
    ("ß", DBusError.invalidSignature),
    (String(repeating: "a", count: 33) + "y", DBusError.invalidSignature),
    (
      String(repeating: "(", count: 33) + "y" + String(repeating: ")", count: 33),
      DBusError.invalidSignature
    ),
    (String(repeating: "y", count: 256), DBusError.invalidSignature),
  ])
  func anInvalidSignatureIsRefused(_ text: String, _ name: String) {
    #expect { try Signature(text) } throws: { ($0 as? DBusError)?.name == name }
  }

  @Test func aSignatureIsASequenceOfCompleteTypes() throws {
    #expect(
      try Signature("sa{sv}(ay)").types == [
        .string, .dictionary(key: .string, value: .variant), .structure([.array(.byte)]),
      ]
    )
  }
}
