import DBus
import Foundation
import Glibc
import MachineLink
import MockMachine
import Testing

extension FaultStories {
  /// A link that drops and comes back again and again.
  @Suite(.scriptedBlueZ) struct Cycles {
    /// How often, in tenths; `BALLMACHINE_CYCLES` says something else than the everyday number.
    private static let cycles =
      ProcessInfo.processInfo.environment["BALLMACHINE_CYCLES"].flatMap { Int($0) } ?? 300
    private static let tenths = 10

    /// In a process of its own: what other tests hold would count as well.
    @Test func droppingTenThousandTimesLeavesNothingBehind() async throws {
      let result = try await #require(
        processExitsWith: .success,
        observing: [\.standardOutputContent]
      ) {
        try await FaultStories.Cycles.dropAgainAndAgain()
      }
      let lines = String(decoding: result.standardOutputContent, as: UTF8.self)
        .split(separator: "\n").filter { $0.hasPrefix("|") }
      #expect(lines.count == Self.tenths)
      let head = [
        "| cycles | heap in use | file descriptors | threads | match rules |",
        "|--:|--:|--:|--:|--:|",
      ]
      for line in head + lines.map(String.init) { print("table \(line)") }
    }

    private static func dropAgainAndAgain() async throws {
      forgetThrownErrors()
      var configuration = LinkConfiguration()
      // The budget of Connects begins again with each of them.
      configuration.timing.stable = .seconds(1)
      try await withLinkFixture(.oneMachine, configuration, leavesTraces: true) { fixture in
        try await fixture.reaches(.ready)
        let connection = try await Connection.open(fixture.setup.bus)
        var prints: [Footprint] = []
        for cycle in 1...cycles {
          try await fixture.perform(.drop(machine: LinkFixture.machine.string))
          try await fixture.reaches(.ready)
          try await fixture.pass(.milliseconds(1100))
          guard cycle % (cycles / tenths) == 0 else { continue }
          await fixture.forgetTheJournals()
          let print = try await Footprint(over: connection)
          prints.append(print)
          Swift.print(
            "| \(cycle) | \(print.heap / 1024) KiB | \(print.fileDescriptors) | \(print.threads) "
              + "| \(print.matchRules) |"
          )
        }
        await connection.close()
        // The first half is for what is made once.
        let early = prints[tenths / 2 - 1]
        let late = prints[tenths - 1]
        #expect(late.fileDescriptors <= early.fileDescriptors)
        #expect(late.matchRules == early.matchRules)
        // Threads are the pools' and come when all are busy, at whatever time a loaded box makes them
        // so. One that stays behind in every tenth cycle would be more than this.
        #expect(late.threads - early.threads < cycles / 2 / 10)
        // A task, a timer or a message that stays behind in each cycle would be more than this. The
        // median of the tenths: a pool's new thread takes 100 KiB once.
        let growths = zip(prints.dropFirst(tenths / 2), prints.dropFirst(tenths / 2 - 1))
          .map { ($0.heap - $1.heap) / (cycles / tenths) }.sorted()
        let growth = growths[growths.count / 2]
        #expect(growth < 1024, "\(growth) bytes of heap a cycle: \(growths)")
      }
    }
  }
}

/// Swift Testing keeps a backtrace of every error that is thrown until the test ends; a timer that is
/// cancelled throws one. That would be its growth, not ours: takes its hooks from the runtime.
private func forgetThrownErrors() {
  for hook in ["_swift_willThrow", "_swift_willThrowTypedImpl"] {
    dlsym(nil, hook)?.storeBytes(of: 0, as: Int.self)
  }
}

extension LinkFixture {
  /// What was told so far is no growth of the link's.
  fileprivate func forgetTheJournals() async {
    await events.forget()
    await statuses.forget()
    await phases.forget()
  }
}
