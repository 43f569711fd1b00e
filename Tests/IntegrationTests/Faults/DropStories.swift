import BlueZ
import CourtLogic
import Host
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// The link falls in each of its states, in each way that BlueZ tells it.
  @Suite(.scriptedBlueZ) struct Drops {
    private static let name = LinkBench.machine.string

    enum Way: CaseIterable { case dropped, droppedAndBackInOneSignal, outOfRange }

    enum Moment: CaseIterable { case resolving, ready, aCommandWaits, aWriteIsLost, aWriteArrived }

    @Test(arguments: Moment.allCases, Way.allCases)
    func theOutcomeIsTrueAndTheLinkComesBack(moment: Moment, way: Way) async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        var expected: [Int] = []
        let outcome: WriteOutcome?
        switch moment {
        case .resolving:
          try await bench.perform(
            .timing("resolve", .seconds(3)),
            .drop(machine: Self.name)
          )
          try await bench.reaches(.resolving)
          try await bench.happens("the link") { $0.isConnection }
          try await bench.pass(.seconds(1))
          outcome = try await bench.send(1)
          #expect(outcome == .notSent(.linkNotReady))
          try await fall(bench, way)
        case .ready:
          outcome = nil
          try await fall(bench, way)
        case .aCommandWaits:
          #expect(try await bench.send(1) == .delivered)
          expected = [1]
          try await bench.pass(.milliseconds(2600))
          async let waiting = bench.send(2)
          try await bench.pass(.milliseconds(50))
          // Out of range shows only after the supervision timeout; by then it was sent.
          try await fall(bench, way)
          outcome = try await waiting
          #expect(outcome == (way == .outOfRange ? .unknown(.linkLost) : .notSent(.linkLost)))
        case .aWriteIsLost, .aWriteArrived:
          let isLost = moment == .aWriteIsLost
          if !isLost { expected = [1] }
          try await bench.perform(.hangWrites(machine: Self.name, lost: isLost, .once))
          async let written = bench.send(1)
          try await bench.called("WriteValue")
          try await bench.pass(.milliseconds(100))
          try await fall(bench, way)
          outcome = try await written
          #expect(outcome == .unknown(.linkLost))
        }
        try await bench.reaches(.ready)
        try await bench.pass(.seconds(20))
        #expect(await bench.received() == expected.map { LinkBench.ball($0).digits })
        #expect(try await bench.send(9) == .delivered)
        #expect(await bench.received() == (expected + [9]).map { LinkBench.ball($0).digits })
        try await bench.checkConnectRate()
      }
    }

    private func fall(_ bench: LinkBench, _ way: Way) async throws {
      switch way {
      case .dropped: try await bench.perform(.drop(machine: Self.name))
      case .droppedAndBackInOneSignal:
        try await bench.perform(.coalesceDrop(machine: Self.name))
      case .outOfRange:
        try await bench.perform(.vanish(machine: Self.name))
        try await bench.fails("the loss") { $0 == .linkLost }
        try await bench.perform(.appear(machine: Self.name))
      }
    }
  }
}
