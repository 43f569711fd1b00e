import BlueZ
import Clocks
import CourtLogic
import MachineLink
import MockMachine
import Testing

extension FaultStories {
  /// The link is ended twice at once, in each of its states, with a stop command on its way.
  @Suite(.scriptedBlueZ) struct DoubleEnds {
    private static let name = LinkFixture.machine.string

    enum Moment: CaseIterable {
      case waitingForBlueZ, waitingForAdapter, discovering, connecting, resolving, ready
      case backingOff, aWriteHangs
    }

    @Test(arguments: Moment.allCases, [false, true])
    func everyEndIsWithinSixSeconds(moment: Moment, withAStop: Bool) async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        var ball: Task<WriteOutcome, any Error>?
        switch moment {
        case .waitingForBlueZ:
          try await fixture.perform(.down)
          try await fixture.reaches(.waitingForBlueZ)
        case .waitingForAdapter:
          try await fixture.perform(.removeAdapter("hci0", .success))
          try await fixture.reaches(.waitingForAdapter)
        case .discovering:
          try await fixture.perform(.vanish(machine: Self.name), .removeObject(machine: Self.name))
          try await fixture.reaches(.discovering)
          try await fixture.happens("the scan") {
            if case .discoveryStarted = $0 { true } else { false }
          }
        case .connecting:
          try await fixture.perform(.vanish(machine: Self.name))
          try await fixture.reaches(.connecting)
        case .resolving:
          try await fixture.perform(
            .fault(machine: Self.name, .resolveHangs, .always),
            .drop(machine: Self.name)
          )
          try await fixture.reaches(.resolving)
        case .ready: break
        case .backingOff:
          try await fixture.perform(
            .fault(machine: Self.name, .flap, .always),
            .drop(machine: Self.name)
          )
          for _ in 1...4 { try await fixture.reaches(.backingOff) }
        case .aWriteHangs:
          try await fixture.perform(.fault(machine: Self.name, .hangWrites(lost: true), .always))
          ball = Task { try await fixture.send(1) }
          try await fixture.called("WriteValue")
        }
        let stop = withAStop ? Task { try await fixture.sendStop() } : nil
        if withAStop { try await fixture.pass(.milliseconds(10)) }
        let start = fixture.now
        async let first: Void = fixture.end()
        async let second: Void = fixture.end()
        try await first
        try await second
        #expect(start.duration(to: fixture.now) <= .seconds(6))
        #expect(await fixture.link.status.phase == .ended)
        if let ball {
          let outcome = try await ball.value
          #expect(outcome == .unknown(withAStop ? .abandonedForStop : .ended))
        }
        if let stop {
          let outcome = try await stop.value
          // BlueZ takes nothing more for a characteristic on which a write hangs.
          let expected: WriteOutcome =
            switch moment {
            case .ready: .delivered
            case .aWriteHangs: .notSent(.busy)
            default: .notSent(.ended)
            }
          #expect(outcome == expected)
        }
      }
    }
  }
}
