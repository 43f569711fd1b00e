import Testing
import WebPage

struct RequestGateTests {
  private let gate = RequestGate(hostname: "court1.club.example", names: ["Balls.example"])

  /// - Parameter headers: as the server gives them.
  private func request(
    _ headers: [(name: String, value: String)],
    isSecure: Bool = false
  ) -> HTTPRequest {
    var request = HTTPRequest("POST", "/", from: nil)
    request.isSecure = isSecure
    request.headers = headers.map { ($0.name.lowercased(), $0.value) }
    return request
  }

  private func outcome(
    _ headers: [(name: String, value: String)],
    isSecure: Bool = false,
    changes: Bool = true
  ) -> GateRefusal? {
    do throws(GateRefusal) {
      try gate.check(request(headers, isSecure: isSecure), changes: changes)
      return nil
    } catch {
      return error
    }
  }

  private let json = (name: "Content-Type", value: "application/json")

  @Test(arguments: [
    "192.168.1.20", "192.168.1.20:8080", "127.0.0.1:8080", "[::1]", "[::1]:8080", "[fd00::20]:1",
    "[::ffff:10.0.0.1]:8080", "localhost", "LOCALHOST:8080", "court1", "court1.local:8080",
    "court1.club.example", "Court1.Local", "balls.example:65535",
  ])
  func ownNamesAndAddressesAreKnown(host: String) {
    #expect(outcome([("Host", host)], changes: false) == nil)
  }

  @Test(arguments: [
    "", ":8080", "evil.example", "evil.example:8080", "127.0.0.1.evil.example",
    "court1.evil.example", "localhost.evil.example", "xcourt1", "court1.", "2130706433",
    "0x7f.0.0.1", "127.1", "::1",
    "::1:8080", "[::1", "::1]", "[::1]x", "[::1]:", "[127.0.0.1]", "[fe80::1%25eth0]", "[court1]",
    "court1:", "court1:x", "court1:123456", "court1:80:80", "127.0.0.1\0.evil.example",
    "me@127.0.0.1", "court1/", " court1", "court1 ", "court1,evil.example", "court\u{FF11}", "%31",
  ])
  func foreignNamesAreNot(host: String) {
    #expect(outcome([("Host", host)], changes: false) == .foreignHost)
    #expect(outcome([("Host", host), ("Origin", "http://\(host)"), json]) == .foreignHost)
  }

  /// Its lower case is the k of a name in ASCII.
  @Test func aLetterThatOnlyLooksLikeTheNamesIsForeign() {
    let gate = RequestGate(hostname: "kiosk", names: [])
    #expect(throws: GateRefusal.foreignHost) {
      try gate.check(request([("Host", "\u{212A}iosk")]), changes: false)
    }
  }

  @Test func aBoxWithoutNameHasItsAddresses() throws {
    let gate = RequestGate(hostname: "", names: [])
    for host in [".local", "", "."] {
      #expect(throws: GateRefusal.foreignHost) {
        try gate.check(request([("Host", host)]), changes: false)
      }
    }
    try gate.check(request([("Host", "10.0.0.1")]), changes: false)
  }

  @Test func noHostAndTwoHostsAreRefused() {
    #expect(outcome([], changes: false) == .foreignHost)
    #expect(outcome([("Host", "court1"), ("host", "court1")], changes: false) == .foreignHost)
  }

  @Test(
    arguments: [
      ("http://court1:8080", "same-origin"), ("http://court1:8080", nil), (nil, "same-origin"),
      (nil, nil),
    ] as [(String?, String?)]
  )
  func ourPageMayChangeThings(origin: String?, site: String?) {
    #expect(outcome(headers(origin, site)) == nil)
  }

  @Test(
    arguments: [
      ("null", nil), ("null", "same-origin"), ("", nil), ("http://court1", nil),
      ("http://court1:8081", "same-site"), ("https://court1:8080", "same-origin"),
      ("http://court1:8080.evil.example", nil), ("http://evil.example", "cross-site"),
      ("http://court1:8080/", nil), ("http://192.168.1.20:8080", "cross-site"),
      ("http://court1:8080", "cross-site"), ("http://court1:8080", "same-site"),
      (nil, "cross-site"), (nil, "same-site"), (nil, "none"), (nil, ""), (nil, "same-origin, none"),
    ] as [(String?, String?)]
  )
  func otherSitesMayNot(origin: String?, site: String?) {
    #expect(outcome(headers(origin, site)) == .foreignOrigin)
    // Reading is not kept from them here, but by the browser and the cookie.
    #expect(outcome(headers(origin, site), changes: false) == nil)
  }

  @Test func theSchemeIsThePages() {
    let head = headers("https://court1:8080", nil)
    #expect(outcome(head, isSecure: true) == nil)
    #expect(outcome(head) == .foreignOrigin)
  }

  @Test(arguments: [
    "application/json", "Application/JSON", "application/json; charset=utf-8",
    "application/json;charset=UTF-8", " application/json ",
  ])
  func jsonIsTaken(type: String) {
    #expect(outcome([("Host", "court1"), ("content-type", type)]) == nil)
  }

  @Test(
    arguments: [
      nil, "", "text/plain", "text/plain; application/json", "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=application/json", "application/jsonp", "application/json2",
      "application/json, text/plain", "application/json; a=b, text/plain",
      "text/plain;application/json",
    ] as [String?]
  )
  func otherTypesAreNot(type: String?) {
    let headers = [("Host", "court1")] + (type.map { [("Content-Type", $0)] } ?? [])
    #expect(outcome(headers.map { (name: $0.0, value: $0.1) }) == .notJSON)
  }

  @Test func aHeaderThatComesTwiceIsNoGood() {
    let host = (name: "Host", value: "court1")
    #expect(outcome([host, json, json]) == .notJSON)
    let origin = (name: "Origin", value: "http://court1")
    #expect(outcome([host, json, origin, origin]) == .foreignOrigin)
    let site = (name: "Sec-Fetch-Site", value: "same-origin")
    #expect(outcome([host, json, site, site]) == .foreignOrigin)
  }

  @Test func refusalsHaveTheirNumbersInHTTP() {
    #expect([GateRefusal.foreignHost, .foreignOrigin, .notJSON].map(\.status) == [421, 403, 415])
  }

  private func headers(_ origin: String?, _ site: String?) -> [(name: String, value: String)] {
    [("Host", "court1:8080"), json] + (origin.map { [("Origin", $0)] } ?? [])
      + (site.map { [("Sec-Fetch-Site", $0)] } ?? [])
  }
}
