import BlueZ
import Clocks
import CourtLogic
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// bluetoothd dies in each state of the link, and comes back or doesn't.
  @Suite(.scriptedBlueZ) struct Restarts {
    private static let name = LinkBench.machine.string

    enum Moment: CaseIterable {
      case discovering, connecting, resolving, ready, writing, backingOff, waitingForAdapter
    }

    @Test(arguments: Moment.allCases)
    func aRestartIsNoticedAtOnceAndSoonOver(moment: Moment) async throws {
      try await withLinkBench { bench in
        var outcome: Task<WriteOutcome, any Error>?
        switch moment {
        case .discovering:
          try await bench.reaches(.discovering)
          try await bench.happens("the scan") {
            if case .discoveryStarted = $0 { true } else { false }
          }
        case .connecting:
          try await bench.reaches(.ready)
          try await bench.perform(.vanish(machine: Self.name))
          try await bench.reaches(.connecting)
          try await bench.pass(.seconds(5))
          try await bench.perform(.appear(machine: Self.name))
        case .resolving:
          try await bench.reaches(.ready)
          try await bench.perform(.timing("resolve", .seconds(5)), .drop(machine: Self.name))
          try await bench.reaches(.resolving)
          try await bench.perform(.timing("resolve", .milliseconds(250)))
        case .ready: try await bench.reaches(.ready)
        case .writing:
          try await bench.reaches(.ready)
          try await bench.perform(.hangWrites(machine: Self.name, lost: true, .once))
          outcome = Task { try await bench.send(1) }
          try await bench.called("WriteValue")
          try await bench.pass(.milliseconds(100))
        case .backingOff:
          try await bench.reaches(.ready)
          try await bench.perform(.flap(machine: Self.name, .times(5)))
          try await bench.perform(.drop(machine: Self.name))
          try await bench.fails("the refusal") {
            if case .connectFailed = $0 { true } else { false }
          }
          try await bench.perform(.clearFaults(machine: nil))
        case .waitingForAdapter:
          try await bench.reaches(.ready)
          try await bench.perform(.power(adapter: "hci0", .off))
          try await bench.reaches(.waitingForAdapter)
        }
        let death = bench.now
        // Longer than the kernel holds the link of a bluetoothd that died.
        try await bench.perform(.restart(downFor: .seconds(3)))
        let notice = try await bench.reachesNext(.waitingForBlueZ, after: death)
        #expect(notice.fault == .serviceAbsent)
        #expect(death.duration(to: notice.since) <= .milliseconds(50))
        if let outcome {
          let told = try await outcome.value
          #expect(told == .unknown(.serviceLost) || told == .unknown(.linkLost))
        }
        let back = try await bench.reachesNext(.ready, after: death).since
        let objects = try #require(await bench.lastReturnOfObjects(before: back))
        let limit: Duration
        switch moment {
        // It has never been connected: a second machine is looked for before.
        case .discovering: limit = .seconds(4)
        case .waitingForAdapter: limit = .milliseconds(1200)
        default: limit = .seconds(1)
        }
        #expect(objects.duration(to: back) <= limit, "\(objects.duration(to: back))")
        #expect(try await bench.send(2) == .delivered)
        #expect(await bench.received() == [LinkBench.ball(2).digits])
      }
    }

    @Test func theBusIsAskedToStartItOncePerStepOfTheBackOff() async throws {
      let configuration = LinkConfiguration(startsService: true)
      try await withLinkBench(
        .oneMachine,
        configuration,
        before: { mock in try await mock.perform(.down) }
      ) { bench in
        try await bench.fails("its absence") { $0 == .serviceAbsent }
        var asked: [Double] = []
        var last = bench.watched.traffic.serviceStarts
        #expect(last == 0)
        let start = bench.now
        while start.duration(to: bench.now) < .seconds(300) {
          try await bench.pass(.milliseconds(500))
          let now = bench.watched.traffic.serviceStarts
          #expect(now - last <= 1)
          if now > last { asked.append((start.duration(to: bench.now)) / .seconds(1)) }
          last = now
        }
        // 5 s, three steps that are shorter than that, then 4 to 30 s with up to a fifth more.
        try #require(asked.count > 6)
        #expect(asked[0] >= 5 && asked[0] < 5.6)
        for (former, later) in zip(asked, asked.dropFirst()) { #expect(later - former >= 4.5) }
        #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 - $0 < 37 })
        #expect(asked[asked.count - 1] - asked[asked.count - 2] >= 29.5)
        let status = await bench.link.status
        #expect(status.phase == .waitingForBlueZ)
        #expect(status.fault?.remedy?.contains("systemctl start bluetooth") == true)
        try await bench.perform(.up)
        try await bench.reaches(.ready)
        #expect(bench.watched.traffic.serviceStarts == last)
        #expect(try await bench.send(1) == .delivered)
      }
    }

    /// bluetoothd ends with its bus, and is started after it.
    @Test(arguments: [false, true])
    func aRestartOfTheBusItselfIsSurvived(duringAWrite: Bool) async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        if duringAWrite {
          try await bench.perform(.hangWrites(machine: Self.name, lost: true, .once))
        }
        async let outcome = bench.send(1)
        try await bench.called("WriteValue")
        // On its way, or lost.
        try await bench.pass(.milliseconds(100))
        if !duringAWrite { #expect(try await outcome == .delivered) }
        try await bench.stage.restartBus(downFor: .seconds(3))
        let restored = bench.now
        let told = try await outcome
        if duringAWrite {
          guard case .unknown = told else {
            Issue.record("\(told)")
            return
          }
        }
        try await bench.reaches(.waitingForBlueZ)
        try await bench.fails("the absence of bluetoothd") { $0 == .serviceAbsent }
        // One step of the back-off, in which time flows while the daemon starts.
        #expect(restored.duration(to: bench.now) < .seconds(10))
        #expect(try await bench.send(2) == .notSent(.linkNotReady))
        try await bench.perform(.up)
        let back = try await bench.reaches(.ready).since
        let objects = try #require(await bench.lastReturnOfObjects(before: back))
        #expect(objects.duration(to: back) <= .seconds(1))
        #expect(try await bench.send(3) == .delivered)
        let balls = duringAWrite ? [3] : [1, 3]
        #expect(await bench.received() == balls.map { LinkBench.ball($0).digits })
      }
    }

    @Test func theBusIsNotAskedWithoutLeave() async throws {
      try await withLinkBench(
        before: { mock in try await mock.perform(.down) }
      ) { bench in
        try await bench.fails("its absence") { $0 == .serviceAbsent }
        try await bench.pass(.seconds(300))
        #expect(bench.watched.traffic.serviceStarts == 0)
      }
    }
  }
}
