import BlueZ
import CourtLogic
import Host
import MachineLink
import MockMachine
import Testing

extension FaultStories {
  /// The link falls in each of its states, in each way that BlueZ tells it.
  @Suite(.scriptedBlueZ) struct Drops {
    private static let name = LinkFixture.machine.string

    enum Way: CaseIterable { case dropped, droppedAndBackInOneSignal, outOfRange }

    enum Moment: CaseIterable { case resolving, ready, aCommandWaits, aWriteIsLost, aWriteArrived }

    @Test(arguments: Moment.allCases, Way.allCases)
    func theOutcomeIsTrueAndTheLinkComesBack(moment: Moment, way: Way) async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        var expected: [Int] = []
        let outcome: WriteOutcome?
        switch moment {
        case .resolving:
          try await fixture.perform(
            .timing("resolve", .seconds(3)),
            .drop(machine: Self.name)
          )
          try await fixture.reaches(.resolving)
          try await fixture.happens("the link") { $0.isConnection }
          try await fixture.pass(.seconds(1))
          outcome = try await fixture.send(1)
          #expect(outcome == .notSent(.linkNotReady))
          try await fall(fixture, way)
        case .ready:
          outcome = nil
          try await fall(fixture, way)
        case .aCommandWaits:
          expected = [1]
          // Out of range shows only after the supervision timeout; by then it was sent.
          outcome = try await fixture.sendTwo { try await fall(fixture, way) }
          if way == .outOfRange {
            #expect(isUnanswered(outcome))
          } else {
            #expect(outcome == .notSent(.linkLost))
          }
        case .aWriteIsLost, .aWriteArrived:
          let isLost = moment == .aWriteIsLost
          if !isLost { expected = [1] }
          try await fixture.perform(.fault(machine: Self.name, .hangWrites(lost: isLost), .once))
          async let written = fixture.send(1)
          try await fixture.called("WriteValue")
          try await fixture.pass(.milliseconds(100))
          try await fall(fixture, way)
          outcome = try await written
          #expect(isUnanswered(outcome))
        }
        try await fixture.reaches(.ready)
        try await fixture.pass(.seconds(20))
        #expect(await fixture.received() == expected.map { LinkFixture.ball($0).text })
        #expect(try await fixture.send(9) == .delivered)
        #expect(await fixture.received() == (expected + [9]).map { LinkFixture.ball($0).text })
        try await fixture.checkConnectRate()
      }
    }

    /// BlueZ's answer may come before the fall shows.
    private func isUnanswered(_ outcome: WriteOutcome?) -> Bool {
      outcome == .unknown(.linkLost) || outcome == .unknown(.unlikelyError)
    }

    private func fall(_ fixture: LinkFixture, _ way: Way) async throws {
      switch way {
      case .dropped: try await fixture.perform(.drop(machine: Self.name))
      case .droppedAndBackInOneSignal:
        try await fixture.perform(.coalesceDrop(machine: Self.name))
      case .outOfRange:
        try await fixture.perform(.vanish(machine: Self.name))
        try await fixture.fails("the loss") { $0.isLinkLost }
        try await fixture.perform(.appear(machine: Self.name))
      }
    }
  }
}
