import Testing
import WebPage

struct WebSettingsTests {
  @Test func aFreshInstallOpensNothing() {
    #expect(WebSettings().listen == "127.0.0.1")
  }
}
