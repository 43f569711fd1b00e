import DBus
import Foundation
import MockMachine
import TestSupport
import Testing

struct PrivateBusTests {
  @Test func aBusTakesConnectionsUntilItIsStopped() async throws {
    let bus = try PrivateBus.start()
    let connection = try await Connection.open(.address(bus.address))
    bus.stop()
    bus.stop()
    await connection.waitUntilDisconnected()
    #expect(bus.processID == nil)
    await #expect(throws: DBusError.self) { try await Connection.open(.address(bus.address)) }
  }

  @Test func theLastReferenceStopsTheBusAndRemovesItsFiles() throws {
    var bus: PrivateBus? = try PrivateBus.start()
    let path = try #require(
      bus?.address.split(separator: ",").first?.dropFirst("unix:path=".count)
    )
    let directory = URL(fileURLWithPath: String(path)).deletingLastPathComponent().path
    let process = try #require(bus?.processID)
    #expect(FileManager.default.fileExists(atPath: directory))
    bus = nil
    #expect(!FileManager.default.fileExists(atPath: directory))
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }

  @Test func twoBusesAreApart() async throws {
    let first = try PrivateBus.start()
    let second = try PrivateBus.start()
    for bus in [first, second] {
      let connection = try await Connection.open(.address(bus.address))
      try await connection.requestName("org.bluez")
      withExtendedLifetime(connection) {}
    }
  }

  @Test func aMissingDaemonIsNamedWithItsPackage() {
    #expect {
      try PrivateBus.start(daemon: "dbus-daemon-that-is-not-there")
    } throws: {
      "\($0)".contains("dbus-daemon package")
    }
  }

  @Test func aDaemonThatEndsAtOnceIsAnError() {
    #expect(throws: PrivateBusError.self) { try PrivateBus.start(daemon: "false") }
  }
}
