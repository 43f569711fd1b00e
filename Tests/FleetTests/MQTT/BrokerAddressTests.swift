import Fleet
import Testing

struct BrokerAddressTests {
  @Test(
    arguments: [
      ("broker", "broker", nil, nil, nil), ("broker:1884", "broker", 1884, nil, nil),
      ("::1", "::1", nil, nil, nil), ("[::1]:1884", "::1", 1884, nil, nil),
      ("mqtts://broker", "broker", nil, nil, true), ("mqtt://broker/", "broker", nil, nil, false),
      ("SSL://broker:8884", "broker", 8884, nil, true), ("tcp://[::1]:1", "::1", 1, nil, false),
      ("fe80::1%eth0", "fe80::1%eth0", nil, nil, nil),
      ("tls://a@b", "b", nil, "a", true), ("mqtts://a%40b@c:2", "c", 2, "a@b", true),
      ("mqtts://a@b@c", "c", nil, "a@b", true),
    ] as [(String, String, Int?, String?, Bool?)]
  )
  func whatIsWritten(
    _ text: String,
    host: String,
    port: Int?,
    user: String?,
    isEncrypted: Bool?
  ) throws {
    let address = try BrokerAddress(text)
    #expect(address.host == host && address.port == port && address.user == user)
    #expect(address.isEncrypted == isEncrypted && !address.hasPassword && address.text == text)
  }

  @Test(arguments: ["mqtts://a:b@c", "mqtts://a:@c", "mqtt://a:b:c@d:1"])
  func aPasswordIsSeen(_ text: String) throws { #expect(try BrokerAddress(text).hasPassword) }

  @Test(arguments: [
    ("", "HOST"), ("a:", "HOST"), (":1", "HOST"), ("a:0", "HOST"), ("a:65536", "HOST"),
    ("a:b", "HOST"), ("a/b", "HOST"), ("a@b", "HOST"), ("mqtts://", "mqtts://"),
    ("mqtts://a/b", "mqtts://"), ("mqtt://a?b", "mqtt://"), ("mqtts://@a", "user"),
    ("mqtts://a%4@b", "a %"), ("mqtts://a%+4@b", "a %"), ("mqtts://a%ff@b", "a %"),
    ("mqtt:a:1", "HOST"), ("a:+1", "HOST"), ("[a:1]:1", "HOST"),
    ("ws://a", "WebSockets"), ("WSS://a:1/mqtt", "WebSockets"), ("http://a", "mqtts://"),
    ("://a", "mqtts://"), ("mqtts://[::1", "mqtts://"),
  ])
  func whatIsNoAddressIsRefused(_ text: String, _ word: String) {
    let refusal = #expect(throws: BrokerAddress.Refusal.self) { try BrokerAddress(text) }
    #expect(refusal?.description.contains(word) == true, "\(refusal?.description ?? "")")
  }
}
