import Testing
import WebPage

struct WebSettingsTests {
  @Test func aFreshInstallOpensNothing() {
    #expect(WebSettings().listen == "127.0.0.1")
  }

  @Test func whatDoesNotGoTogetherIsNamed() {
    var settings = WebSettings()
    settings.stopPort = settings.port
    #expect(settings.problem == "page.port and page.stop-port are both 8080: they must differ")
  }
}
