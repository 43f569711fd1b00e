import Bridge
import Configuration
import CourtLogic
import Foundation
import MachineLink
import MockMachine
import TestSupport
import Testing

extension LinkStories {
  /// A start of the bridge after an earlier good link.
  @Suite struct Memory {
    static let other: MockAddress = "F0:F1:F2:F3:F4:F6"

    /// What a run with the machine leaves behind.
    private func memory() async throws -> RememberedMachine {
      var memory: RememberedMachine?
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        memory = await fixture.link.status.proven
      }
      return try #require(memory)
    }

    @Test func theNextStartConnectsWithoutAScan() async throws {
      let known = MockPeripheral(isTrusted: true)
      let configuration = LinkConfiguration(remembered: [try await memory()])
      try await withLinkFixture(MockModel(peripherals: [known]), configuration) { fixture in
        let status = try await fixture.reaches(.ready)
        #expect(status.isChosenByMemory)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await !fixture.calls().contains("StartDiscovery"))
      }
    }

    @Test func aMachineThatBlueZHasForgottenIsFoundByAScan() async throws {
      let configuration = LinkConfiguration(remembered: [try await memory()])
      let model = MockModel(peripherals: [MockPeripheral(), MockPeripheral(Self.other)])
      try await withLinkFixture(model, configuration) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls().contains("StartDiscovery"))
        #expect(await fixture.received() == [LinkFixture.ball(1).text])
        #expect(await fixture.calls(on: Self.other) == [])
      }
    }

    @Test(arguments: [false, true])
    func anotherMachineIsNeverTouched(isKnown: Bool) async throws {
      let configuration = LinkConfiguration(remembered: [try await memory()])
      let model = MockModel(peripherals: [
        MockPeripheral(isTrusted: isKnown, isAdvertising: false), MockPeripheral(Self.other),
      ])
      try await withLinkFixture(model, configuration) { fixture in
        let fault = try await fixture.fails("that another machine is there") {
          if case .onlyOtherMachines = $0 { true } else { false }
        }
        #expect(fault.reason.contains(Self.other.string))
        #expect(fault.advice?.contains("--forget-machine") == true)
        try await fixture.linger(.seconds(60))
        #expect(await fixture.calls(on: Self.other) == [])
        // The one that is meant comes back.
        try await fixture.perform(.appear(machine: LinkFixture.machine.string))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls(on: Self.other) == [])
      }
    }

    @Test func whatOneKindOfMachineHasTaughtSaysNothingOfTheOther() async throws {
      var memory = try await memory()
      memory.isSimulated.toggle()
      let model = MockModel(peripherals: [MockPeripheral(Self.other)])
      try await withLinkFixture(model, LinkConfiguration(remembered: [memory])) { fixture in
        let status = try await fixture.reaches(.ready)
        #expect(!status.isChosenByMemory)
        #expect(try await fixture.send(1) == .delivered)
      }
    }
  }
}

/// Two processes, one after the other, and the file between them.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineMemoryTests {
  private static let file = "state/machine.json"

  private func send(_ setup: CommandLineSetup, _ arguments: String...) async throws -> (
    code: Int32, sent: ProgramEvent?, errors: String
  ) {
    let result = try await setup.run(
      ["send", "--yes", "--json", "--zone", "0", "--bus", setup.address] + arguments
    )
    return (result.code, try ProgramEvent.all(result.output).named("manual").last, result.errors)
  }

  @Test func theSecondSendDoesNotScan() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      for _ in 1...2 {
        let (code, sent, errors) = try await send(setup)
        #expect(code == 0 && sent?.outcome == "delivered" && errors == "")
      }
      let events = try await mock.terminate()
      #expect(events.ballWrites().count == 2)
      #expect(events.named("discoveryStarted").count == 1)
      let text = try String(contentsOfFile: setup.path(Self.file), encoding: .utf8)
      #expect(
        text.contains(CommandLineSetup.machine)
          && text.contains("\"simulated\" : \(!Setups.isReal)")
      )
    }
  }

  @Test func aServeThatWasReadyLeavesItsMachineToTheNext() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let serving = [
        "serve", "--json", "--arm", "--countdown", "0", "--positions", "-", "--bus", setup.address,
      ]
      var first = try setup.start(serving)
      _ = try await first.next("link", state: "ready")
      first.program.write(#"{"x": 1, "y": 1}"# + "\n")
      _ = try await first.next("dispatch")
      #expect(try await first.terminate().code == 0)
      var second = try setup.start(serving)
      _ = try await second.next("link", state: "ready")
      #expect(try await second.terminate().code == 0)
      #expect(try await mock.terminate().named("discoveryStarted").count == 1)
    }
  }

  @Test func anotherMachineIsUsedOnlyOnceTheFirstIsForgotten() async throws {
    try await CommandLineSetup.with { setup in
      let other = "F0:F1:F2:F3:F4:F6"
      let mock = try await setup.mock()
      #expect(try await send(setup).sent?.machine == CommandLineSetup.machine)
      for verb in [
        "vanish \(CommandLineSetup.machine)", "remove-object \(CommandLineSetup.machine)",
        "machine \(other)",
      ] {
        try await mock.perform(verb)
      }
      let (code, _, errors) = try await send(setup, "--wait", "3")
      #expect(code == 69 && errors.contains("--forget-machine"), "\(errors)")
      let forgetful = try await send(setup, "--forget-machine")
      #expect(forgetful.code == 0 && forgetful.sent?.machine == other)
      #expect(try await mock.terminate().ballWrites(to: other).count == 1)
    }
  }

  /// With a runtime directory of its own, but by mistake with the bridge's state directory.
  @Test func aStopBesideABridgeLeavesItsMachineInTheFile() async throws {
    try await CommandLineSetup.with { setup in
      let other = "F0:F1:F2:F3:F4:F6"
      let mock = try await setup.mock()
      #expect(try await send(setup).code == 0)
      var serve = try setup.start(serving(setup, "--positions", "-"))
      _ = try await serve.next("link", state: "ready")
      let kept = try String(contentsOfFile: setup.path(Self.file), encoding: .utf8)
      try await mock.perform("machine \(other)")
      try setup.makeFolder("second")
      let stop = ["send", CourtFacts.stop, "--bus", setup.address, "--address", other]
      for options in [[], ["--forget-machine"]] {
        let sent = try await setup.run(
          stop + options,
          script: "BALLMACHINE_RUNTIME_DIR='\(setup.path("second"))' exec \"$@\""
        )
        #expect(sent.code == 0, "\(sent)")
        #expect(sent.errors.contains("was not removed") == !options.isEmpty, "\(sent)")
        #expect(try String(contentsOfFile: setup.path(Self.file), encoding: .utf8) == kept)
      }
      #expect(try await serve.terminate().code == 0)
    }
  }

  @Test func aBrokenFileIsSetAsideAndTheBridgeGoesOn() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      #expect(try await send(setup).code == 0)
      _ = try setup.write("{\"version\":", to: Self.file)
      let (code, sent, errors) = try await send(setup)
      #expect(code == 0 && sent?.outcome == "delivered")
      #expect(
        errors == "ballmachine send: warning: no machine is remembered: \(setup.path(Self.file)) is"
          + " damaged; it is now \(setup.path(Self.file)).broken\n"
      )
      #expect(try await send(setup).errors == "")
    }
  }

  @Test func withoutAPlaceForItTheBridgeWorksAndSaysSo() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      _ = try setup.write("", to: "state")
      let (code, sent, errors) = try await send(setup)
      #expect(code == 0 && sent?.outcome == "delivered")
      #expect(errors.split(separator: "\n").allSatisfy { $0.contains("warning: ") })
      #expect(errors.contains("the machine won't be remembered"))
    }
  }

  @Test func aSimulationLeavesNoTrace() async throws {
    try await CommandLineSetup.with { setup in
      let result = try await setup.run(["simulate", "--duration", "5", "--speed", "4"])
      #expect(result.code == 0 && result.output.contains("delivered"))
      #expect(!FileManager.default.fileExists(atPath: setup.path("state")))
    }
  }
}
