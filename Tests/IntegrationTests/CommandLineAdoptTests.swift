import Foundation
import TestSupport
import Testing

/// `adopt`, and what is left alone without it.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineAdoptTests {
  private static let ring = "C4:11:22:33:44:55"

  /// A gadget with the update service of its chip, and no machine.
  private func withRing(
    _ body: (CommandLineSetup, MockMachines) async throws -> Void
  ) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock(
        "machine \(Self.ring) profile 3 name Ring",
        "vanish \(CommandLineSetup.machine)"
      )
      try await body(setup, mock)
    }
  }

  private func ball(_ setup: CommandLineSetup) async throws -> BuiltProgram.Result {
    try await setup.run(
      ["send", "--yes", "--zone", "1", "--wait", "4", "--bus", setup.address]
    )
  }

  /// An earlier program owes the gadget a stop command.
  private func owe(_ setup: CommandLineSetup) throws {
    try setup.makeFolder("state")
    _ = try setup.write(
      """
      {"version": 1, "owed": [{"address": "\(Self.ring)", "simulated": true,
      "since": "2026-11-21T14:00:00Z"}]}
      """,
      to: "state/stop-owed.json"
    )
  }

  @Test(.mockOnly("the box has no such gadget"))
  func aGadgetIsLeftAloneUntilItIsAdopted() async throws {
    try await withRing { setup, mock in
      let scan = try await setup.run(["scan", "--bus", setup.address, "--duration", "1"])
      #expect(scan.lines.first?.hasSuffix("Ring  phy62xx-update, perhaps") == true, "\(scan)")
      let refused = try await ball(setup)
      #expect(refused.code == 69, "\(refused)")
      #expect(refused.errors.contains("run `ballmachine adopt \(Self.ring)`"), "\(refused)")

      let adopt = ["adopt", Self.ring, "--bus", setup.address]
      let unasked = try await setup.run(adopt)
      #expect(unasked.code == 64 && unasked.errors.contains("--yes"), "\(unasked)")
      let desk = try Terminal(on: setup)
      try await desk.types("ballmachine adopt \(Self.ring)")
      try await desk.sees("SIM  Ring  \(Self.ring)", " dBm\nCommands for a ball machine")
      try await desk.types("y", at: "Type yes if it is your ball machine:\n")
      try await desk.sees("adopt: not adopted: it was not confirmed with yes", "[75] $ ")
      let absent = try await setup.run(
        ["adopt", "C4:00:00:00:00:01", "--yes", "--wait", "1", "--bus", setup.address]
      )
      #expect(absent.code == 69 && absent.errors.contains("not in range"), "\(absent)")
      let adopted = try await setup.run(adopt + ["--yes"])
      #expect(adopted.code == 0, "\(adopted)")
      #expect(adopted.output.hasPrefix("SIM  Ring  \(Self.ring)  adopted"), "\(adopted)")

      let sent = try await ball(setup)
      #expect(sent.code == 0, "\(sent)")
      #expect(sent.output.contains("profile phy62xx-update 5833ff02-"), "\(sent)")
      let list = try await setup.run(["adopt", "--list", "--json"])
      #expect(list.lines.count == 1 && list.output.contains(#""by":"address""#), "\(list)")
      #expect(try await setup.run(["adopt", "--forget", Self.ring]).code == 0)
      #expect(try await setup.run(["adopt", "--list"]).output == "")
      #expect(try await ball(setup).code == 69, "a good link through that service is no memory")
      // The ball that was sent, and nothing before or after.
      #expect(try await mock.terminate().writes().count == 1)
    }
  }

  @Test(.mockOnly("the box has no such gadget"))
  func theServiceLinksAtOnce() async throws {
    try await withRing { setup, mock in
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      _ = try await serve.next("link", state: "discovering")
      _ = try await serve.next("link", state: "discovering")
      let status = try await setup.run(["status"])
      let words = status.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("perhaps it is \(Self.ring) Ring"), "\(status)")
      #expect(words.contains("run `ballmachine adopt \(Self.ring)`"), "\(status)")
      let adopted = try await setup.run(["adopt", "Ring", "--yes"])
      #expect(adopted.code == 0 && adopted.errors == "", "\(adopted)")
      _ = try await serve.next("link", state: "ready")
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().writes() == [])
    }
  }

  /// Of a version that wrote into update services.
  @Test(.mockOnly("the box has no such gadget"))
  func anOwedStopGoesThereAndNothingElse() async throws {
    try await withRing { setup, mock in
      try owe(setup)
      _ = try setup.write(
        """
        {"version": 1, "machines": [{"adapter": "AA:BB:CC:DD:EE:01", "address": "\(Self.ring)",
        "addressType": "random", "profile": "ai-thinker", "simulated": true,
        "since": "2026-11-21T14:00:00Z"}]}
        """,
        to: "state/machine.json"
      )
      let stop = try await setup.run(["safe-stop", "--bus", setup.address])
      #expect(stop.code == 0, "\(stop)")
      #expect(try await ball(setup).code == 69)
      let writes = try await mock.terminate().writes()
      #expect(!writes.isEmpty && writes.allSatisfy { $0 == CourtFacts.stop })
    }
  }

  @Test(.mockOnly("the box has no such gadget"))
  func theServicePaysAnOwedStopAndAsks() async throws {
    try await withRing { setup, mock in
      try owe(setup)
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      let stop = try await serve.next("stop")
      #expect(stop.outcome == "confirmed")
      _ = try await serve.next("link", state: "discovering")
      let end = try await serve.terminate()
      #expect(end.code == 0, "\(end)")
      let writes = try await mock.terminate().writes()
      #expect(!writes.isEmpty && writes.allSatisfy { $0 == CourtFacts.stop })
    }
  }
}
