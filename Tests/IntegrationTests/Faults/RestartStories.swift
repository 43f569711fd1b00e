import BlueZ
import Clocks
import CourtLogic
import MachineLink
import MockMachine
import Testing

extension FaultStories {
  /// bluetoothd dies in each state of the link, and comes back or doesn't.
  @Suite(.scriptedBlueZ) struct Restarts {
    private static let name = LinkFixture.machine.string

    enum Moment: CaseIterable {
      case discovering, connecting, resolving, ready, writing, backingOff, waitingForAdapter
    }

    @Test(arguments: Moment.allCases)
    func aRestartIsNoticedAtOnceAndSoonOver(moment: Moment) async throws {
      try await withLinkFixture { fixture in
        var outcome: Task<WriteOutcome, any Error>?
        switch moment {
        case .discovering:
          try await fixture.reaches(.discovering)
          try await fixture.happens("the scan") {
            if case .discoveryStarted = $0 { true } else { false }
          }
        case .connecting:
          try await fixture.reaches(.ready)
          try await fixture.perform(.vanish(machine: Self.name))
          try await fixture.reaches(.connecting)
          try await fixture.pass(.seconds(5))
          try await fixture.perform(.appear(machine: Self.name))
        case .resolving:
          try await fixture.reaches(.ready)
          try await fixture.perform(.timing("resolve", .seconds(5)), .drop(machine: Self.name))
          try await fixture.reaches(.resolving)
          try await fixture.perform(.timing("resolve", .milliseconds(250)))
        case .ready: try await fixture.reaches(.ready)
        case .writing:
          try await fixture.reaches(.ready)
          try await fixture.perform(.fault(machine: Self.name, .hangWrites(lost: true), .once))
          outcome = Task { try await fixture.send(1) }
          try await fixture.called("WriteValue")
          try await fixture.pass(.milliseconds(100))
        case .backingOff:
          try await fixture.reaches(.ready)
          try await fixture.perform(.fault(machine: Self.name, .flap, .times(5)))
          try await fixture.perform(.drop(machine: Self.name))
          try await fixture.fails("the refusal") {
            if case .connectFailed = $0 { true } else { false }
          }
          try await fixture.perform(.clearFaults(machine: nil))
        case .waitingForAdapter:
          try await fixture.reaches(.ready)
          try await fixture.perform(.power(adapter: "hci0", .off))
          try await fixture.reaches(.waitingForAdapter)
        }
        let death = fixture.now
        // Longer than the kernel holds the link of a bluetoothd that died.
        try await fixture.perform(.restart(downFor: .seconds(3)))
        let notice = try await fixture.reachesNext(.waitingForBlueZ, after: death)
        if moment == .discovering {
          guard case .serviceEnded(let end)? = notice.fault else {
            Issue.record("\(String(describing: notice.fault))")
            return
          }
          #expect(end.times == 1)
        } else {
          #expect(notice.fault == .serviceAbsent)
        }
        #expect(death.duration(to: notice.since) <= .milliseconds(50))
        if let outcome {
          let told = try await outcome.value
          #expect(told == .unknown(.noReply) || told == .unknown(.linkLost))
        }
        let back = try await fixture.reachesNext(.ready, after: death).since
        let objects = try #require(await fixture.lastReturnOfObjects(before: back))
        let limit: Duration
        switch moment {
        // It has never been connected: a second machine is looked for before.
        case .discovering: limit = .seconds(4)
        case .waitingForAdapter: limit = .milliseconds(1200)
        default: limit = .seconds(1)
        }
        #expect(objects.duration(to: back) <= limit, "\(objects.duration(to: back))")
        #expect(try await fixture.send(2) == .delivered)
        #expect(await fixture.received() == [LinkFixture.ball(2).text])
      }
    }

    @Test func theBusIsAskedToStartItOncePerStepOfTheBackOff() async throws {
      let configuration = LinkConfiguration(startsService: true)
      try await withLinkFixture(
        .oneMachine,
        configuration,
        before: { mock in try await mock.perform(.down) }
      ) { fixture in
        try await fixture.fails("its absence") { $0 == .serviceAbsent }
        var asked: [Double] = []
        var last = fixture.watched.traffic.serviceStarts
        #expect(last == 0)
        let start = fixture.now
        while start.duration(to: fixture.now) < .seconds(300) {
          try await fixture.pass(.milliseconds(500))
          let now = fixture.watched.traffic.serviceStarts
          #expect(now - last <= 1)
          if now > last { asked.append((start.duration(to: fixture.now)) / .seconds(1)) }
          last = now
        }
        // 5 s, three steps that are shorter than that, then 4 to 30 s with up to a fifth more.
        try #require(asked.count > 6)
        #expect(asked[0] >= 5 && asked[0] < 5.6)
        for (former, later) in zip(asked, asked.dropFirst()) { #expect(later - former >= 4.5) }
        #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 - $0 < 37 })
        #expect(asked[asked.count - 1] - asked[asked.count - 2] >= 29.5)
        let status = await fixture.link.status
        #expect(status.phase == .waitingForBlueZ)
        #expect(status.fault?.remedy?.contains("systemctl start bluetooth") == true)
        try await fixture.perform(.up)
        try await fixture.reaches(.ready)
        #expect(fixture.watched.traffic.serviceStarts == last)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    /// bluetoothd ends with its bus, and is started after it.
    @Test(arguments: [false, true])
    func aRestartOfTheBusItselfIsSurvived(duringAWrite: Bool) async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        if duringAWrite {
          try await fixture.perform(.fault(machine: Self.name, .hangWrites(lost: true), .once))
        }
        async let outcome = fixture.send(1)
        try await fixture.called("WriteValue")
        // On its way, or lost.
        try await fixture.pass(.milliseconds(100))
        if !duringAWrite { #expect(try await outcome == .delivered) }
        try await fixture.setup.restartBus(downFor: .seconds(3))
        let restored = fixture.now
        let told = try await outcome
        if duringAWrite {
          guard case .unknown = told else {
            Issue.record("\(told)")
            return
          }
        }
        try await fixture.reaches(.waitingForBlueZ)
        try await fixture.fails("the absence of bluetoothd") { $0 == .serviceAbsent }
        // One step of the back-off, in which time flows while the daemon starts.
        #expect(restored.duration(to: fixture.now) < .seconds(10))
        #expect(try await fixture.send(2) == .notSent(.linkNotReady))
        try await fixture.perform(.up)
        let back = try await fixture.reaches(.ready).since
        let objects = try #require(await fixture.lastReturnOfObjects(before: back))
        #expect(objects.duration(to: back) <= .seconds(1))
        #expect(try await fixture.send(3) == .delivered)
        let balls = duringAWrite ? [3] : [1, 3]
        #expect(await fixture.received() == balls.map { LinkFixture.ball($0).text })
      }
    }

    @Test func theBusIsNotAskedWithoutLeave() async throws {
      try await withLinkFixture(
        before: { mock in try await mock.perform(.down) }
      ) { fixture in
        try await fixture.fails("its absence") { $0 == .serviceAbsent }
        try await fixture.pass(.seconds(300))
        #expect(fixture.watched.traffic.serviceStarts == 0)
      }
    }
  }
}
