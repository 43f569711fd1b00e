import Host
import Testing

@testable import WebPage

struct PageAddressesTests {
  private func addresses(
    _ listen: String,
    secure: Bool = false,
    names: [String] = [],
    own: [String] = ["192.168.1.20", "fd00::20"]
  ) -> PageAddresses {
    PageAddresses(
      listen: listen,
      port: 8080,
      isSecure: secure,
      names: names,
      hostname: "court1.club.example",
      configuration: "court/web.yaml",
      own: own
    )
  }

  @Test func aPageForAllHasTheBoxesAddresses() {
    let page = addresses("0.0.0.0")
    #expect(page.all == ["http://192.168.1.20:8080/", "http://court1.local:8080/"])
    #expect(page.warning == nil)
    #expect(
      addresses("::", secure: true, names: ["balls.example"]).all == [
        "https://balls.example:8080/", "https://192.168.1.20:8080/", "https://[fd00::20]:8080/",
        "https://court1.local:8080/",
      ]
    )
  }

  @Test func aPageOfOneAddressHasThatOne() {
    #expect(addresses("10.0.0.1").all == ["http://10.0.0.1:8080/"])
    #expect(addresses("10.0.0.1").warning == nil)
    #expect(addresses("fd00::20").all == ["http://[fd00::20]:8080/"])
  }

  @Test(arguments: ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
  func noPhoneReachesAPageOnLoopback(listen: String) throws {
    let page = addresses(listen, names: ["balls.example"])
    #expect(page.all.count == 1)
    let warning = try #require(page.warning)
    #expect(warning.contains("listens on \(listen) alone. Set listen to 0.0.0.0"))
    #expect(warning.contains("in court/web.yaml, and start the page again"))
  }

  /// No file says so, or the option wins.
  @Test func onLoopbackByAnOptionAnotherOneHelps() throws {
    let page = PageAddresses(
      listen: "127.0.0.1",
      port: 8080,
      isSecure: false,
      names: [],
      hostname: "court1",
      configuration: nil
    )
    let warning = try #require(page.warning)
    #expect(warning.hasSuffix("alone. Start it with --listen 0.0.0.0, or with the box's address"))
  }

  @Test func aBoxWithoutNetworkSaysSo() throws {
    #expect(try #require(addresses("0.0.0.0", own: []).warning).contains("no address in a network"))
  }

  @Test func theBoxesOwnAddressesAreOfNetworks() {
    for address in OwnAddresses.all() {
      #expect(!address.hasPrefix("127.") && address != "::1" && !address.contains("%"))
    }
  }
}
