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

  @Test(.scriptedBlueZ) func aMachineThatRefusesEveryCommandIsToldAndPauses() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("change-table \(CommandLineSetup.machine) profile encrypted")
      var serve = try setup.start([
        "serve", "--json", "--bus", setup.address, "--positions", "-", "--arm", "--countdown", "0",
      ])
      _ = try await serve.next("safety", state: "live")
      let player = Ticker { [program = serve.program] _ in
        program.write(#"{"x": 1, "y": 1}"# + "\n")
      }
      for number in 1...2 {
        let link = try await serve.next("link", state: "ready")
        #expect(link.refused == number)
        #expect(link.reason?.contains("the machine wants to be paired") == true)
        #expect(link.remedy?.contains("`bluetoothctl pair") == true)
      }
      let paused = try await serve.next("safety", state: "paused")
      #expect(paused.code == "refused")
      let status = try await setup.run(["status"]).output
      #expect(status.contains("Arming   paused: the machine did not take 3 commands"))
      #expect(status.contains("the machine did not take the last 3 commands"), "\(status)")
      // It takes commands once it is paired, the stop first.
      try await mock.perform("pair \(CommandLineSetup.machine) on")
      #expect(try await serve.next("stop").outcome == "confirmed")
      #expect(try await setup.run(["resume"]).code == 0)
      #expect(try await serve.next("dispatch").outcome == "delivered")
      player.cancel()
      #expect(try await serve.terminate().code == 0)
    }
  }

  @Test(.scriptedBlueZ) func anAdapterThatIsSwitchedOffIsReportedAsOff() async throws {
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
