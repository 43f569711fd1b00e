import Testing
import WebPage

/// What a browser lets the page do.
struct SealTests {
  /// The page's script asks the stop's own port on the host that the browser knows the page by.
  @Test(arguments: [
    ("court1.local:8080", " http://court1.local:8081;"), ("court1", " http://court1:8081;"),
    ("192.168.1.20:8080", " http://192.168.1.20:8081;"),
    // Browsers take no address in brackets for a source.
    ("[fd00::20]:8080", " http://*:8081;"), ("[fd00::20]", " http://*:8081;"),
    ("a;script-src *", ";"),
  ])
  func theStopsOwnPortMayBeAsked(host: String, source: String) throws {
    var request = HTTPRequest("GET", "/", from: nil)
    request.headers = [("host", host)]
    let seal = PageService.seal(request, stopPort: 8081, style: "sha256-0")
    let policy = try #require(seal.first { $0.name == "Content-Security-Policy" }).value
    #expect(policy.contains("connect-src 'self'\(source)"))
    #expect(!policy.contains("script-src *"))
    // STOP is a form until its script runs.
    #expect(policy.contains("form-action 'self'"))
  }
}
