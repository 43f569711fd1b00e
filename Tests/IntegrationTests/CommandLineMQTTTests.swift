import Glibc
import MockMachine
import TestSupport
import Testing

/// `ballmachine mqtt` as far as it needs no broker, and what `ballmachine doctor` passes on of it.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineMQTTTests {
  private func findings(_ result: BuiltProgram.Result) -> [PassedFinding] {
    PassedFinding.all(in: result, by: "mqtt")
  }

  /// Runs it with this configuration. Nothing listens at port 1 of a test's box.
  private func doctor(_ setup: CommandLineSetup, _ yaml: String) async throws -> [PassedFinding] {
    let path = try setup.write(yaml, to: "mqtt.yaml")
    return findings(try await setup.run(["mqtt", "doctor", "--json", "--config", path]))
  }

  @Test(arguments: [
    ("fleet: {court: court-1}", "broker.host"), ("broker: {host: broker}", "fleet.court"),
    ("broker: {hots: broker}", "hots"), ("broker: {host: a}\nfleet: {court: A/B}", "fleet.court"),
  ])
  func aWrongConfigurationEndsItForGood(_ yaml: String, key: String) async throws {
    try await CommandLineSetup.with { setup in
      let path = try setup.write(yaml, to: "mqtt.yaml")
      for arguments in [["run"], [], ["--forget"]] {
        let result = try await setup.run(["mqtt"] + arguments + ["--config", path])
        #expect(result.code == 78 && result.errors.contains(key), "\(result)")
      }
      let result = try await setup.run(["mqtt", "doctor", "--json", "--config", path])
      #expect(result.code == 69)
      #expect(findings(result).first?.code == "mqtt.configuration")
    }
  }

  @Test func withoutAConfigurationItSaysWhatToWrite() async throws {
    try await CommandLineSetup.with { setup in
      let result = try await setup.run(["mqtt", "run", "--config", "/dev/null"])
      #expect(result.code == 78 && result.errors.contains("/dev/null: broker.host is missing"))
    }
  }

  @Test func aPasswordThatOthersCanReadIsNotUsed() async throws {
    try await CommandLineSetup.with { setup in
      chmod(try setup.write("secret", to: "password"), 0o644)
      let yaml = "broker: {host: localhost, port: 1, user: a, password-file: password}"
      let found = try await doctor(setup, yaml + "\nfleet: {court: a}")
      let problem = try #require(found.first { $0.verdict == "problem" })
      #expect(problem.code == "mqtt.password" && problem.text.contains("chmod 600"))
      // A person may mend it: the service begins again.
      let run = try await setup.run(["mqtt", "--config", setup.path("mqtt.yaml")])
      #expect(run.code == 77 && run.errors.contains("chmod 600"), "\(run)")
      #expect(!run.errors.contains("secret"))
    }
  }

  @Test(arguments: [
    ("broker: {host: 127.0.0.1, port: 1}", ["configured", "unreachable"]),
    // This box, too, but for what the name says.
    ("broker: {host: 0.0.0.0, port: 1}", ["configured", "clearText", "unreachable"]),
    (
      "broker: {host: 127.0.0.1, port: 1}\ntls: {ca: none.pem}",
      ["configured", "certificate"]
    ), ("broker: {host: 127.0.0.1, port: 1}\ntls: {ca: mqtt.yaml}", ["configured", "certificate"]),
  ])
  func whatKeepsItFromTheBrokerIsNamed(_ yaml: String, codes: [String]) async throws {
    try await CommandLineSetup.with { setup in
      let found = try await doctor(setup, yaml + "\nfleet: {court: court-1}")
      #expect(found.map(\.code).starts(with: codes.map { "mqtt." + $0 }), "\(found)")
      #expect(found.contains { $0.verdict == "problem" && $0.remedy != nil })
      #expect(found.last?.code == "mqtt.bridge" && found.last?.verdict == "note")
      let path = setup.path("mqtt.yaml")
      let text = try await setup.run(["mqtt", "doctor", "--config", path])
      #expect(text.code == 69 && text.lines.allSatisfy { $0.count < 80 }, "\(text.output)")
    }
  }

  @Test func whatNoCourtIsCalledIsNotStopped() async throws {
    try await CommandLineSetup.with { setup in
      let result = try await setup.run(["mqtt", "stop", "_x"])
      #expect(result.code == 64)
      #expect(result.errors.contains("COURT '_x': is not a court"), "\(result)")
    }
  }

  @Test(arguments: [
    (["--broker", "mqtts://a:hidden@b"], "--password-file"),
    (["--broker", "ws://b"], "WebSockets"), (["--broker", "b", "--key", "k"], "go together"),
    (["--broker", "mqtt://b", "--ca", "a"], "--ca"),
    (["--broker", "tcp://b", "--certificate", "c", "--key", "k"], "--certificate"),
    (["--broker", "mqtts://a@b", "--user", "c"], "contradict"),
    (["--broker", "b", "--protocol", "4"], "5 or 3.1.1"),
  ])
  func whatContradictsItselfIsTold(_ options: [String], _ word: String) async throws {
    try await CommandLineSetup.with { setup in
      for arguments in [["status"], ["stop", "court-1"]] {
        let result = try await setup.run(["mqtt"] + arguments + options)
        #expect(result.code == 64 && result.errors.contains(word), "\(result)")
        #expect(!result.errors.contains("hidden"))
      }
    }
  }

  @Test func forgettingNeedsTheBroker() async throws {
    try await CommandLineSetup.with { setup in
      let yaml = "broker: {host: 127.0.0.1, port: 1}\nfleet: {court: court-1}"
      let path = try setup.write(yaml, to: "mqtt.yaml")
      let result = try await setup.run(["mqtt", "--forget", "--config", path])
      #expect(result.code == 69 && result.output.isEmpty, "\(result)")
      let both = try await setup.run(["mqtt", "--forget", "--simulate", "--config", path])
      #expect(both.code == 64)
    }
  }

  @Test(.mockOnly("it needs no machine"))
  func theBridgesDoctorPassesItOnWhereItsServiceIsEnabled() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let arguments = ["doctor", "--json", "--bus", setup.address]
      try await FakeSystemd.with("ballmachine_2dmqtt_2eservice") { bus in
        let result = try await setup.run(
          arguments,
          after: "export DBUS_SYSTEM_BUS_ADDRESS='\(bus.address)';"
        )
        // No test's box has a configuration.
        #expect(findings(result).map(\.code).contains("mqtt.configuration"), "\(result)")
        #expect(findings(result).map(\.code).contains("mqtt.running"))
      }
      #expect(findings(try await setup.run(arguments)).isEmpty)
    }
  }
}
