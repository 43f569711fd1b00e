import Foundation
import TestSupport
import Testing

/// `send` and `scan` against a mock machine in another process.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineSendTests {
  /// A day, which a time namespace adds to `CLOCK_BOOTTIME` alone, as a suspended box does.
  @Test(
    .mockOnly("it is about this box's clock"),
    .enabled(
      if: geteuid() == 0 && access("/proc/self/ns/time", F_OK) == 0,
      "it sets a clock of its own"
    )
  )
  func theTimeOfASuspendedBoxCounts() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let send = try await setup.run(
        ["send", CourtFacts.stop, "--json", "--bus", setup.address],
        script: #"exec unshare --time --boottime 86400 "$@""#
      )
      #expect(send.code == 0, "\(send)")
      #expect(try #require(try ProgramEvent.all(send.output).last?.t) >= 86_400)
    }
  }

  @Test(arguments: [
    (["111112222233334444"], "111112222233334444"),
    (["--zone", "2-2"], "115001070017007000"),
    (["--zone", "10"], "115001070017007000"),
    (["--upper", "1", "--lower", "22", "--pitch", "333", "--yaw", "4444"], "000010002203334444"),
  ])
  func oneCommandIsWrittenOnce(_ form: [String], _ digits: String) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let result = try await setup.run(sending(setup, ["--yes", "--json"] + form))
      #expect(result.code == 0 && result.errors == "")
      let events = try ProgramEvent.all(result.output)
      #expect(events.map(\.event) == ["manual"])
      #expect(events.last?.command == digits && events.last?.outcome == "delivered")
      #expect(try await mock.terminate().writes() == [digits])
    }
  }

  /// Only what the question asks for; it names the machine, and whether a ball is real.
  @Test(arguments: [("y", false), ("YES", false), ("", false), ("yes", true)], [true, false])
  func onlyTheWholeYesSends(_ answer: (text: String, sends: Bool), _ hasService: Bool) async throws
  {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      if hasService {
        var serve = try setup.start(["serve", "--json", "--bus", setup.address])
        _ = try await serve.next("link", state: "ready")
      }
      // Without a service, it needs to know the bus.
      let config = try setup.write("machine: {bus: \"\(setup.address)\"}\n", to: "config.yaml")
      let send = try setup.start(
        ["send", "--zone", "0"],
        // A terminal; what is typed before the question doesn't count.
        script: #"""
          export BALLMACHINE_CONFIG=\#(config)
          script -qec "$(printf '%q ' "$@")" /dev/null
          """#
      )
      // The link takes a while; a service could ask before the terminal has it.
      if !hasService { send.program.write("yes\n") }
      var shown: [String] = []
      for await line in send.program.lines {
        shown.append(line.trimmingCharacters(in: .whitespacesAndNewlines))
        guard line.contains("Type yes to send it:") else { continue }
        send.program.write("\(answer.text)\n")
      }
      let result = await send.ending()
      #expect(result.code == (answer.sends ? 0 : 75), "\(result)")
      let mode = Setups.isReal ? "REAL" : "SIM"
      #expect(
        shown.contains("machine  \(mode)  BallMachine \(CommandLineSetup.machine)"),
        "\(shown)"
      )
      let writes = try await mock.terminate().ballWrites()
      #expect(writes == (answer.sends ? ["105001050012002000"] : []))
    }
  }

  @Test func aStopCommandNeedsNoConfirmation() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let result = try await setup.run(sending(setup, [CourtFacts.stop]))
      #expect(result.code == 0 && result.errors == "")
      let writes = try await mock.terminate().writes()
      #expect(!writes.isEmpty && writes.allSatisfy { $0 == CourtFacts.stop })
    }
  }

  /// As `stop` does.
  @Test(arguments: [[CourtFacts.stop], zeros]) func aStopCommandNeedsOnlyTheStopSocket(
    _ form: [String]
  ) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      try #require(unlink(setup.path("control.sock")) == 0)
      let result = try await setup.run(["send"] + form)
      #expect(result.code == 0 && result.output.hasPrefix("stop  "), "\(result)")
      // A machine that is named is not the service's.
      let named = try await setup.run(sending(setup, form))
      let doubt = "NOTHING was stopped: use the machine's switch if it moves; "
      #expect(named.code == 75 && named.errors.contains(doubt), "\(named)")
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().writes().contains(CourtFacts.stop))
    }
  }

  private static let zeros = ["--upper", "0", "--lower", "0", "--pitch", "0", "--yaw", "0"]

  @Test func whatNobodyAnswersIsUnknownAndNotRepeated() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("hang-writes \(CommandLineSetup.machine) always")
      let result = try await setup.run(sending(setup, ["--yes", "--json", "--zone", "0"]))
      #expect(result.code == 75)
      #expect(result.errors.contains("may throw a second ball"))
      let events = try ProgramEvent.all(result.output)
      #expect(events.map(\.event) == ["manual", "error"] && events.first?.outcome == "unknown")
      #expect(try await mock.terminate().writes() == ["105001050012002000"])
    }
  }

  @Test func aMachineThatIsNotThereIsNamed() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let wrong = "F0:F1:F2:F3:F4:F6"
      let result = try await setup.run(
        sending(setup, ["--yes", "--zone", "0", "--wait", "3", "--address", wrong])
      )
      #expect(result.code == 69)
      #expect(result.errors.contains("\(wrong): the machine was not ready in time"))
    }
  }

  /// Nothing is known against the machine, and the time is not up.
  @Test(.mockOnly("no machine is in range"), arguments: [["--zone", "0"], [CourtFacts.stop]])
  func anInterruptWhileItConnectsIsNoWordAboutTheMachine(_ command: [String]) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("vanish \(CommandLineSetup.machine)")
      let send = try setup.start(sending(setup, ["--yes", "--json"] + command))
      _ = try await mock.next("discoveryStarted")
      let (code, _, errors) = try await send.terminate()
      #expect(code == 75 && errors.contains("not sent: interrupted"), "\(code): \(errors)")
      #expect(!errors.contains("check that it is on"), "\(errors)")
    }
  }

  @Test func aMachineThatTakesNoCommandsIsToldWithAllThatItHas() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("machine \(CommandLineSetup.machine) profile wrong-flags")
      let result = try await setup.run(sending(setup, ["--yes", "--zone", "0", "--wait", "7"]))
      #expect(result.code == 69)
      #expect(result.errors.contains("abcd1234-1234-1234-1234-abcdef123456 [read,notify] in"))
      #expect(result.errors.contains("--characteristic"))
      #expect(try await mock.terminate().writes().isEmpty)
    }
  }

  @Test func oneProgramAtATimeControlsTheMachine() async throws {
    try await CommandLineSetup.with { setup in
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      _ = try await serve.next("start")
      for rival in [["send", "--yes", "--zone", "0"], ["serve"]] {
        let result = try await setup.run(rival + ["--bus", setup.address])
        #expect(result.code == 75)
        #expect(result.errors.contains("process \(serve.program.processID),"), "\(result.errors)")
      }
      #expect(try await serve.terminate().code == 0)
    }
  }

  @Test func aScanListsWhatIsInRange() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("machine AA:AA:AA:AA:AA:01 profile 7 name Lamp")
      let scan = ["scan", "--bus", setup.address, "--duration", "1"]
      async let machines = setup.run(scan)
      async let all = setup.run(scan + ["--all"])
      async let json = setup.run(scan + ["--all", "--json"])
      let text = try await machines
      #expect(text.code == 0 && text.errors == "")
      #expect(
        text.lines.count == 2 && text.lines.first?.hasPrefix(CommandLineSetup.machine) == true
      )
      #expect(text.lines.last == "1 possible machine, 1 other device in range")
      #expect(try await all.lines.count == 3)
      let events = try ProgramEvent.all(try await json.output)
      #expect(Set(events.dropLast().map(\.event)) == ["device"] && events.last?.event == "scan")
      let seen = try await mock.terminate()
      #expect(seen.named("discoveryStarted").count == seen.named("discoveryStopped").count)
      #expect(seen.named("connected").isEmpty)
    }
  }

  /// As a link does.
  @Test(.mockOnly("the box has one adapter"))
  func ofTwoAdaptersAScanUsesAndNamesTheOneThatKnowsTheMachine() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("add-adapter hci1 AA:BB:CC:DD:EE:02")
      try setup.makeFolder("state")
      let machine = """
        {"adapter": "AA:BB:CC:DD:EE:02", "address": "\(CommandLineSetup.machine)",
        "addressType": "random", "profile": "ball-machine", "simulated": true,
        "since": "2026-11-21T14:00:00Z"}
        """
      _ = try setup.write(#"{"version": 1, "machines": [\#(machine)]}"#, to: "state/machine.json")
      let scan = try await setup.run(["scan", "--bus", setup.address, "--duration", "1"])
      #expect(scan.code == 0 && scan.errors == "", "\(scan)")
      let end = "in range of hci1 AA:BB:CC:DD:EE:02; --adapter names another adapter"
      #expect(scan.lines.last?.hasSuffix(end) == true, "\(scan)")
      let starts = try await mock.terminate().named("discoveryStarted")
      #expect(starts.map(\.adapterName) == ["hci1"])
    }
  }

  @Test(arguments: [
    (["scan", "--duration", "1"], []), (["send", "--yes", "--zone", "1"], ["--wait", "3"]),
  ])
  func onlyTheGivenAdapterIsUsed(_ arguments: [String], _ patience: [String]) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let wanted = arguments + ["--bus", setup.address, "--adapter"]
      let missing = try await setup.run(wanted + ["AA:BB:CC:DD:EE:99"] + patience)
      #expect(missing.code == 69)
      let message = "the Bluetooth adapter AA:BB:CC:DD:EE:99 is missing"
      #expect(missing.errors.contains(message), "\(missing.errors)")
      let used = try await setup.run(wanted + ["aa:bb:cc:dd:ee:01"])
      #expect(used.code == 0, "\(used.errors)")
      let starts = try await mock.terminate().named("discoveryStarted")
      #expect(starts.count == 1)
    }
  }

  /// By its present name, too, which only the command line knows.
  @Test func anAdapterIsFoundByItsName() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let scan = ["scan", "--duration", "1", "--bus", setup.address, "--adapter"]
      let missing = try await setup.run(scan + ["hci7"])
      #expect(missing.code == 69)
      let message = "--adapter hci7: there is no such adapter; there is hci0 "
      #expect(missing.errors.contains(message), "\(missing.errors)")
      let used = try await setup.run(scan + ["hci0"])
      #expect(used.code == 0 && used.lines.count == 2, "\(used)")
      // What stops the machine, or finds out why it can't be reached, does without.
      let stop = try await setup.run([
        "send", CourtFacts.stop, "--bus", setup.address, "--adapter", "hci0",
      ])
      #expect(stop.code == 0 && stop.errors == "", "\(stop)")
      let anyway = try await setup.run(["safe-stop", "--bus", setup.address, "--adapter", "hci7"])
      #expect(anyway.code == 0 && anyway.errors.contains("any adapter is used"), "\(anyway)")
      let seen = try await mock.terminate()
      #expect(seen.named("discoveryStarted").isEmpty == false && seen.ballWrites().isEmpty)
      let doctor = try await setup.run([
        "doctor", "--bus", "unix:path=/proc/none", "--adapter", "hci0",
      ])
      #expect(doctor.code == 69 && doctor.output.contains("problem  bus"), "\(doctor)")
    }
  }

  private func sending(_ setup: CommandLineSetup, _ arguments: [String]) -> [String] {
    ["send", "--bus", setup.address] + arguments
  }
}
