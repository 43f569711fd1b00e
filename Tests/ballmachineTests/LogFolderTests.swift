import Glibc
import Host
import Testing

@testable import ballmachine

struct LogFolderTests {
  @Test func anInstalledServicesFolderIsLookedIntoAsRootDoes() throws {
    try #require(getenv("BALLMACHINE_STATE_DIRECTORY") == nil)
    let service = try StateDirectory(variable: { _ in nil }, userID: 0)
    #expect(service.path == "/var/lib/ballmachine")
    #expect(LogFolder.state(isInstalled: true) == service)
    #expect(LogFolder.state(isInstalled: false) == (try? StateDirectory()))
  }
}
