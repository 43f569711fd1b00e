import Foundation
import TestSupport
import Testing

/// What `serve` tells a technician of the link's health.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineHealthTests {
  @Test(.scriptedBlueZ) func aRefusingMachineIsToldByAttemptAndTime() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock(
        "refuse-connect \(CommandLineSetup.machine) org.bluez.Error.Failed"
          + " le-connection-abort-by-local 2"
      )
      var serve = try setup.start([
        "serve", "--json", "--bus", setup.address, "--address", CommandLineSetup.machine,
      ])
      for attempt in 2...3 {
        let failed = try await serve.next("link", state: "backingOff")
        #expect(failed.attempt == attempt)
        #expect(failed.reason?.contains("le-connection-abort-by-local") == true)
        #expect(failed.remedy?.contains("near") == true)
        let wait = try #require(failed.nextAttempt) - (try #require(failed.t))
        #expect(wait > 0 && wait <= 0.6 * Double(attempt - 1))
      }
      let ready = try await serve.next("link", state: "ready")
      #expect(ready.attempt == nil && ready.reason == nil)
      #expect(ready.adapter == "AA:BB:CC:DD:EE:01")
      #expect(ready.adapterName == "hci0" && ready.adapterState == "on")
      // Heard before the first attempt, two delays ago.
      let age = try #require(ready.rssiAge)
      #expect(ready.rssi != nil && age > 1.5)
      let since = try #require(ready.since.flatMap { ISO8601DateFormatter().date(from: $0) })
      #expect((0...30).contains(Date().timeIntervalSince(since)))
      #expect(try await serve.terminate().code == 0)
    }
  }

  @Test(.scriptedBlueZ) func anAdapterThatSomebodySwitchesOffIsToldAsOff() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      _ = try await serve.next("link", state: "ready")
      try await mock.perform("power hci0 off")
      let off = try await serve.next("link", state: "waitingForAdapter")
      #expect(off.adapterName == "hci0" && off.adapterState == "off")
      #expect(off.reason != nil && off.remedy?.contains("power on") == true)
      try await mock.perform("remove-adapter hci0")
      var missing = off
      while missing.adapterState != "missing" { missing = try await serve.next("link") }
      #expect(missing.adapter == "AA:BB:CC:DD:EE:01" && missing.adapterName == nil)
      #expect(try await serve.terminate().code == 0)
    }
  }
}
