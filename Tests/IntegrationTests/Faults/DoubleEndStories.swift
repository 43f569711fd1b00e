import BlueZ
import Clocks
import CourtLogic
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// The link is ended twice at once, in each of its states, with a stop command on its way.
  @Suite(.scriptedBlueZ) struct DoubleEnds {
    private static let name = LinkBench.machine.string

    enum Moment: CaseIterable {
      case waitingForBlueZ, waitingForAdapter, discovering, connecting, resolving, ready
      case backingOff, aWriteHangs
    }

    @Test(arguments: Moment.allCases, [false, true])
    func everyEndIsWithinSixSeconds(moment: Moment, withAStop: Bool) async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        var ball: Task<WriteOutcome, any Error>?
        switch moment {
        case .waitingForBlueZ:
          try await bench.perform(.down)
          try await bench.reaches(.waitingForBlueZ)
        case .waitingForAdapter:
          try await bench.perform(.removeAdapter("hci0", .success))
          try await bench.reaches(.waitingForAdapter)
        case .discovering:
          try await bench.perform(.vanish(machine: Self.name), .removeObject(machine: Self.name))
          try await bench.reaches(.discovering)
          try await bench.happens("the scan") {
            if case .discoveryStarted = $0 { true } else { false }
          }
        case .connecting:
          try await bench.perform(.vanish(machine: Self.name))
          try await bench.reaches(.connecting)
        case .resolving:
          try await bench.perform(
            .resolveHangs(machine: Self.name, .always),
            .drop(machine: Self.name)
          )
          try await bench.reaches(.resolving)
        case .ready: break
        case .backingOff:
          try await bench.perform(.flap(machine: Self.name, .always), .drop(machine: Self.name))
          for _ in 1...4 { try await bench.reaches(.backingOff) }
        case .aWriteHangs:
          try await bench.perform(.hangWrites(machine: Self.name, lost: true, .always))
          ball = Task { try await bench.send(1) }
          try await bench.called("WriteValue")
        }
        let stop = withAStop ? Task { try await bench.sendStop() } : nil
        if withAStop { try await bench.pass(.milliseconds(10)) }
        let start = bench.now
        async let first: Void = bench.end()
        async let second: Void = bench.end()
        try await first
        try await second
        #expect(start.duration(to: bench.now) <= .seconds(6))
        #expect(await bench.link.status.phase == .ended)
        if let ball {
          let outcome = try await ball.value
          #expect(outcome == .unknown(withAStop ? .abandonedForStop : .ended))
        }
        if let stop {
          let outcome = try await stop.value
          // BlueZ takes nothing more for a characteristic on which a write hangs.
          #expect(outcome == (moment == .ready ? .delivered : .notSent(.ended)))
        }
      }
    }
  }
}
