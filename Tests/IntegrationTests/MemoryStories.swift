import Bridge
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
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        memory = await bench.link.status.proven
      }
      return try #require(memory)
    }

    @Test func theNextStartConnectsWithoutAScan() async throws {
      let known = MockPeripheral(isTrusted: true)
      let configuration = LinkConfiguration(remembered: [try await memory()])
      try await withLinkBench(MockWorld(peripherals: [known]), configuration) { bench in
        let status = try await bench.reaches(.ready)
        #expect(status.isChosenByMemory)
        #expect(try await bench.send(1) == .delivered)
        #expect(await !bench.calls().contains("StartDiscovery"))
      }
    }

    @Test func aMachineThatBlueZHasForgottenIsFoundByAScan() async throws {
      let configuration = LinkConfiguration(remembered: [try await memory()])
      let world = MockWorld(peripherals: [MockPeripheral(), MockPeripheral(Self.other)])
      try await withLinkBench(world, configuration) { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        #expect(await bench.calls().contains("StartDiscovery"))
        #expect(await bench.received() == [LinkBench.ball(1).digits])
        #expect(await bench.calls(on: Self.other) == [])
      }
    }

    @Test(arguments: [false, true])
    func anotherMachineIsNeverTouched(isKnown: Bool) async throws {
      let configuration = LinkConfiguration(remembered: [try await memory()])
      let world = MockWorld(peripherals: [
        MockPeripheral(isTrusted: isKnown, isAdvertising: false), MockPeripheral(Self.other),
      ])
      try await withLinkBench(world, configuration) { bench in
        let fault = try await bench.fails("that another machine is there") {
          if case .onlyOtherMachines = $0 { true } else { false }
        }
        #expect(fault.reason.contains(Self.other.string))
        #expect(fault.advice?.contains("--forget-machine") == true)
        try await bench.linger(.seconds(60))
        #expect(await bench.calls(on: Self.other) == [])
        // The one that is meant comes back.
        try await bench.perform(.appear(machine: LinkBench.machine.string))
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        #expect(await bench.calls(on: Self.other) == [])
      }
    }

    @Test func whatOneKindOfMachineHasTaughtSaysNothingOfTheOther() async throws {
      var memory = try await memory()
      memory.isSimulated.toggle()
      let world = MockWorld(peripherals: [MockPeripheral(Self.other)])
      try await withLinkBench(world, LinkConfiguration(remembered: [memory])) { bench in
        let status = try await bench.reaches(.ready)
        #expect(!status.isChosenByMemory)
        #expect(try await bench.send(1) == .delivered)
      }
    }
  }
}

/// Two processes, one after the other, and the file between them.
@Suite(.onEitherStage, .mustEnd)
struct CommandLineMemoryTests {
  private static let file = "state/machine.json"

  private func send(_ stage: CommandLineStage, _ arguments: String...) async throws -> (
    code: Int32, sent: ProgramEvent?, errors: String
  ) {
    let result = try await stage.run(
      ["send", "--yes", "--json", "--zone", "0", "--bus", stage.address] + arguments
    )
    return (result.code, try ProgramEvent.all(result.output).last, result.errors)
  }

  @Test func theSecondSendDoesNotScan() async throws {
    try await CommandLineStage.with { stage in
      let mock = try await stage.mock()
      for _ in 1...2 {
        let (code, sent, errors) = try await send(stage)
        #expect(code == 0 && sent?.outcome == "delivered" && errors == "")
      }
      let events = try await mock.terminate()
      #expect(events.ballWrites().count == 2)
      #expect(events.named("discovery-started").count == 1)
      let text = try String(contentsOfFile: stage.path(Self.file), encoding: .utf8)
      #expect(
        text.contains(CommandLineStage.machine)
          && text.contains("\"simulated\" : \(!Stages.isReal)")
      )
    }
  }

  @Test func aServeThatWasReadyLeavesItsMachineToTheNext() async throws {
    try await CommandLineStage.with { stage in
      let mock = try await stage.mock()
      let serving = [
        "serve", "--json", "--arm", "--countdown", "0", "--positions", "-", "--bus", stage.address,
      ]
      var first = try stage.start(serving)
      _ = try await first.next("link", state: "ready")
      first.program.write(#"{"x": 1, "y": 1}"# + "\n")
      _ = try await first.next("dispatch")
      #expect(try await first.terminate().code == 0)
      var second = try stage.start(serving)
      _ = try await second.next("link", state: "ready")
      #expect(try await second.terminate().code == 0)
      #expect(try await mock.terminate().named("discovery-started").count == 1)
    }
  }

  @Test func anotherMachineIsUsedOnlyOnceTheFirstIsForgotten() async throws {
    try await CommandLineStage.with { stage in
      let other = "F0:F1:F2:F3:F4:F6"
      let mock = try await stage.mock()
      #expect(try await send(stage).sent?.machine == CommandLineStage.machine)
      for verb in [
        "vanish \(CommandLineStage.machine)", "remove-object \(CommandLineStage.machine)",
        "machine \(other)",
      ] {
        try await mock.perform(verb)
      }
      let (code, _, errors) = try await send(stage, "--wait", "3")
      #expect(code == 69 && errors.contains("--forget-machine"), "\(errors)")
      let forgetful = try await send(stage, "--forget-machine")
      #expect(forgetful.code == 0 && forgetful.sent?.machine == other)
      #expect(try await mock.terminate().ballWrites(to: other).count == 1)
    }
  }

  @Test func aBrokenFileIsSetAsideAndTheBridgeGoesOn() async throws {
    try await CommandLineStage.with { stage in
      _ = try await stage.mock()
      #expect(try await send(stage).code == 0)
      _ = try stage.write("{\"version\":", to: Self.file)
      let (code, sent, errors) = try await send(stage)
      #expect(code == 0 && sent?.outcome == "delivered")
      #expect(
        errors == "ballmachine send: warning: no machine is remembered: \(stage.path(Self.file)) is"
          + " damaged; it is now \(stage.path(Self.file)).broken\n"
      )
      #expect(try await send(stage).errors == "")
    }
  }

  @Test func withoutAPlaceForItTheBridgeWorksAndSaysSo() async throws {
    try await CommandLineStage.with { stage in
      _ = try await stage.mock()
      _ = try stage.write("", to: "state")
      let (code, sent, errors) = try await send(stage)
      #expect(code == 0 && sent?.outcome == "delivered")
      #expect(errors.split(separator: "\n").allSatisfy { $0.contains("warning: ") })
      #expect(errors.contains("the machine won't be remembered"))
    }
  }

  @Test func aSimulationLeavesNoTrace() async throws {
    try await CommandLineStage.with { stage in
      let result = try await stage.run(["simulate", "--duration", "5", "--speed", "4"])
      #expect(result.code == 0 && result.output.contains("delivered"))
      #expect(!FileManager.default.fileExists(atPath: stage.path("state")))
    }
  }
}
