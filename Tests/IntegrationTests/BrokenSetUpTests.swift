import Foundation
import Glibc
import MachineLink
import Programs
import TestSupport
import Testing

@testable import BlueZ
@testable import Doctor

/// Ten set-ups in which no ball would fly, each of which the doctor names.
///
/// Where the kernel has a part in it, the real stack shows the same: see `KernelViewTests`.
@Suite(.mockOnly("each breaks what other tests need"), .mustEnd)
struct BrokenSetUpTests {
  /// Runs the doctor on a setup with one mock machine that these verbs have broken.
  ///
  /// - Returns: how it ends, and the findings that are not as they should be.
  private func doctor(
    _ arguments: [String] = [],
    on setup: CommandLineSetup
  ) async throws -> (code: Int32, findings: [DoctorLine]) {
    let result = try await setup.run(["doctor", "--json", "--bus", setup.address] + arguments)
    return (result.code, try DoctorLine.all(result.output).filter { $0.verdict != "ok" })
  }

  private func withBroken(
    _ verbs: [String],
    _ arguments: [String] = [],
    _ check: (Int32, [DoctorLine]) throws -> Void
  ) async throws {
    try await CommandLineSetup.with { setup in
      let machines = try await setup.mock()
      for verb in verbs { try await machines.perform(verb) }
      let (code, findings) = try await doctor(arguments, on: setup)
      try check(code, findings)
    }
  }

  @Test func rfkill() async throws {
    let switches = try PlantedSwitches()
    try switches.plant(
      "rfkill0",
      ["type": "bluetooth", "soft": "1", "hard": "0", "name": "hci0"],
      device: "../../hci0"
    )
    var kernel = KernelView.current(sysfs: switches.sysfs)
    let controller = HostController(index: 0, address: BluetoothAddress("AA:BB:CC:DD:EE:01"))
    kernel.controllers = .success([controller])
    let diagnosis = Diagnosis(
      configuration: LinkConfiguration(),
      fault: .serviceAbsent,
      kernel: kernel
    )
    let finding = try #require(diagnosis.findings.first { $0.subject == .rfkill })
    #expect(finding.code == "rfkill.blocked" && finding.verdict == .problem)
    #expect(finding.remedy == "run `rfkill unblock bluetooth`")
  }

  @Test func noBluetoothd() async throws {
    try await withBroken(["down"]) { code, findings in
      #expect(code == 69)
      let finding = try #require(findings.first { $0.code == "bluetoothd.absent" })
      #expect(finding.verdict == "problem")
    }
  }

  @Test func noPermission() async throws {
    let refusal = "fail GetManagedObjects org.freedesktop.DBus.Error.AccessDenied \"Rejected\" 9"
    try await withBroken([refusal]) { code, findings in
      #expect(code == 77)
      let finding = try #require(findings.first { $0.code == "permission.refused" })
      #expect(finding.verdict == "problem")
      #expect(finding.remedy?.contains("group bluetooth") == true)
    }
  }

  @Test func noAdapter() async throws {
    try await withBroken(["remove-adapter hci0"]) { code, findings in
      #expect(code == 69)
      let finding = try #require(findings.first { $0.code == "adapter.missing" })
      #expect(finding.verdict == "problem")
      #expect(finding.text == "there is no Bluetooth adapter")
    }
  }

  /// A bridge that starts would switch it on; one that runs does not.
  @Test func adapterOff() async throws {
    try await withBroken(["power hci0 off"]) { code, findings in
      #expect(code == 0)
      let finding = try #require(findings.first { $0.code == "adapter.off" })
      #expect(finding.verdict == "note" && finding.remedy == "run `bluetoothctl power on`")
    }
    try await CommandLineSetup.with { setup in
      let machines = try await setup.mock()
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      while try await serve.next("link").state != "ready" {}
      try await machines.perform("power hci0 off")
      while try await serve.next("link").state != "waitingForAdapter" {}
      let (code, findings) = try await doctor(on: setup)
      #expect(code == 69)
      let finding = try #require(findings.first { $0.code == "adapter.off" })
      #expect(finding.verdict == "problem")
      serve.program.send(signal: SIGTERM)
      _ = try await serve.result()
    }
  }

  @Test func machineOff() async throws {
    try await withBroken(["vanish \(CommandLineSetup.machine)"], ["--connect"]) { code, findings in
      #expect(code == 69)
      let finding = try #require(findings.first { $0.code == "signal.not-heard" })
      #expect(finding.verdict == "problem")
      #expect(finding.remedy?.contains("check that the machine is on") == true)
    }
  }

  @Test func wrongUUIDs() async throws {
    let verb = "machine \(CommandLineSetup.machine) profile wrong-flags"
    try await withBroken([verb], ["--connect"]) { code, findings in
      #expect(code == 69)
      let finding = try #require(findings.first { $0.code == "services.unknown" })
      #expect(finding.verdict == "problem")
      #expect(finding.text.contains("[read,notify]"), "\(finding.text)")
      #expect(finding.remedy?.contains("--characteristic") == true)
    }
  }

  @Test func badTable() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      _ = try setup.write("zone,command\n0-0,12\n", to: "table.csv")
      let file = try setup.write("court:\n  table: table.csv\n", to: "config.yaml")
      let (code, findings) = try await doctor(["--config", file], on: setup)
      #expect(code == 78)
      let finding = try #require(findings.first)
      #expect(finding.code == "table.invalid" && finding.verdict == "problem")
      #expect(
        finding.text.hasPrefix("\(file):2:10: court.table: \(setup.path("table.csv")):2:5: ")
      )
      // Nothing else is hidden by it.
      #expect(findings.contains { $0.check == "machine" })
    }
  }

  @Test func badConfiguration() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let file = try setup.write("safety:\n  countdown: soon\n", to: "config.yaml")
      let (code, findings) = try await doctor(["--config", file], on: setup)
      #expect(code == 78)
      let finding = try #require(findings.first)
      #expect(finding.code == "config.invalid" && finding.verdict == "problem")
      #expect(finding.text.hasPrefix("\(file):2:14: safety.countdown: "))
      #expect(findings.contains { $0.check == "machine" })
    }
  }

  /// It is told, and left in peace.
  @Test func anotherProgramHoldsTheMachine() async throws {
    let machine = CommandLineSetup.machine
    try await withBroken(["link \(machine)"], ["--connect"]) { _, findings in
      let finding = try #require(findings.first { $0.code == "machine.held" })
      #expect(finding.text.contains("\(machine) is connected, by another program"))
      let trial = try #require(findings.first { $0.check == "connection" })
      #expect(trial.code == "connection.untried")
    }
  }

  // MARK: None of them

  /// The trial connects, sees all, writes nothing, and leaves the machine free.
  @Test func whatIsWholeIsFoundWhole() async throws {
    try await CommandLineSetup.with { setup in
      let machines = try await setup.mock()
      let result = try await setup.run(["doctor", "--connect", "--json", "--bus", setup.address])
      #expect(result.code == 0, "\(result.output)")
      let findings = try DoctorLine.all(result.output)
      #expect(
        findings.map(\.code).filter {
          ["signal", "connection", "services"].contains($0.prefix { $0 != "." })
        }
          == ["signal.heard", "connection.made", "services.found"]
      )
      let services = try #require(findings.first { $0.code == "services.found" })
      #expect(services.text.contains("profile ball-machine") && services.text.contains("MTU "))
      let free = try await setup.run(["scan", "--json", "--bus", setup.address, "--duration", "2"])
      #expect(free.output.contains("\"connected\":false"))
      #expect(try await machines.terminate().writes().isEmpty)
    }
  }

  /// Whoever drives the machine goes on undisturbed.
  @Test func aBridgeThatRunsIsLeftInPeace() async throws {
    try await CommandLineSetup.with { setup in
      let machines = try await setup.mock()
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      while try await serve.next("link").state != "ready" {}
      let (code, findings) = try await doctor(["--connect"], on: setup)
      #expect(code == 0)
      let trial = try #require(findings.first { $0.code == "connection.untried" })
      #expect(trial.text.contains("process \(serve.program.processID)"))
      serve.program.send(signal: SIGTERM)
      let events = try await serve.result().events
      #expect(!events.named("link").contains { $0.state == "backingOff" })
      _ = try await machines.terminate()
    }
  }
}

/// A line of the doctor's JSON.
struct DoctorLine: Decodable {
  var check: String
  var code: String
  var verdict: String
  var text: String
  var remedy: String?

  /// All but the summary.
  static func all(_ output: String) throws -> [DoctorLine] {
    // The summary, and an error object behind it.
    try output.split(separator: "\n").filter { $0.contains(#""event":"finding""#) }.map {
      try JSONDecoder().decode(DoctorLine.self, from: Data($0.utf8))
    }
  }
}
