import BlueZ
import CourtLogic
import DBus
import MachineLink
import MockMachine
import TestSupport

/// A random life of one link: misfortune after misfortune while commands are given, then peace.
///
/// What the machine received is the judge of what the link claims.
actor RandomLife {
  struct Given: Sendable {
    var number: Int
    var submitted: MonotonicInstant
    var outcome: WriteOutcome?
  }

  private let bench: LinkBench
  private var generator: SeededGenerator
  private(set) var balls: [Given] = []
  private(set) var stops: [WriteOutcome?] = []
  private(set) var trace: [String] = []
  /// How often each outcome and each verb was seen.
  private(set) var counts: [String: Int] = [:]
  private var errands: [Task<Void, Never>] = []

  init(on bench: LinkBench, seed: UInt64) {
    self.bench = bench
    generator = SeededGenerator(seed: seed)
  }

  static let profiles: [MockProfile] = [.ballMachine, .requestOnly, .commandOnly]
  static let strangers: [MockPeripheral] = [
    MockPeripheral("11:22:33:44:55:66", profile: .nordicUART),
    MockPeripheral("11:22:33:44:55:77", name: "BallMachine", profile: .hm10),
  ]

  // MARK: Living

  func live(steps: Int) async throws {
    for _ in 0..<steps {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<5: submit()
      case 5 where Bool.random(using: &generator): stop()
      default: await suffer()
      }
      let pause = Int.random(in: 0..<20, using: &generator) == 0 ? 60_000 : 4000
      try await bench.pass(.milliseconds(Int.random(in: 1...pause, using: &generator)))
    }
  }

  /// Ends all misfortunes; then the link must come back and deliver.
  func recover() async throws -> WriteOutcome? {
    await perform(.clearFaults(machine: nil))
    await perform(.delayMethod("Connect", .zero))
    await perform(.up)
    try await bench.pass(.seconds(5))
    await perform(.addAdapter(MockAdapter("hci0")))
    await perform(.power(adapter: "hci0", .unblocked))
    await perform(.appear(machine: LinkBench.machine.string))
    // A minute more than the longest back-off, scan and Connect take.
    for _ in 0..<60 {
      try await bench.pass(.seconds(4))
      if await bench.link.status.phase == .ready {
        let number = submit()
        try await bench.pass(.seconds(1))
        let outcome = balls[number - 1].outcome
        if outcome == .delivered || outcome == .queued { return outcome }
      }
    }
    return nil
  }

  /// Waits for every outcome.
  func settle() async throws {
    for errand in errands { try await limited("every outcome") { await errand.value } }
  }

  @discardableResult
  private func submit() -> Int {
    let number = balls.count + 1
    balls.append(Given(number: number, submitted: bench.now))
    note("ball \(number)")
    errands.append(
      Task { [bench] in
        let outcome = await bench.link.send(LinkBench.ball(number), decidedAt: bench.now)
        self.ball(number, outcome)
      }
    )
    return number
  }

  private func ball(_ number: Int, _ outcome: WriteOutcome) {
    precondition(balls[number - 1].outcome == nil, "two outcomes of one command")
    balls[number - 1].outcome = outcome
    note("ball \(number): \(outcome)")
    counts[outcome.word, default: 0] += 1
  }

  private func stop() {
    let index = stops.count
    stops.append(nil)
    note("stop \(index)")
    errands.append(
      Task { [bench] in
        let outcome = await bench.link.sendStop()
        self.stop(index, outcome)
      }
    )
  }

  private func stop(_ index: Int, _ outcome: WriteOutcome) {
    stops[index] = outcome
    note("stop \(index): \(outcome)")
    counts["stop \(outcome.word)", default: 0] += 1
  }

  // MARK: Misfortunes

  private func suffer() async {
    let times = MockTimes.times(Int.random(in: 1...3, using: &generator))
    let pause = Duration.milliseconds(Int.random(in: 10...8000, using: &generator))
    let machine = LinkBench.machine.string
    let verbs: [MockVerb] = [
      .drop(machine: machine),
      .coalesceDrop(machine: machine),
      .vanish(machine: machine),
      .appear(machine: machine),
      .appear(machine: machine),
      .appear(machine: machine),
      .removeObject(machine: machine),
      .dropAt(machine: machine, .allCases.randomElement(using: &generator)!, times),
      .refuseConnect(
        machine: machine,
        Self.connectErrors.randomElement(using: &generator)!,
        after: nil,
        times
      ),
      .connectWithoutReply(machine: machine, .once),
      .connectWithoutLink(machine: machine, times),
      .flap(machine: machine, times),
      .omitConnectedSignal(machine: machine, times),
      .resolveFails(machine: machine, times),
      .resolveHangs(machine: machine, .once),
      .hangWrites(machine: machine, lost: Bool.random(using: &generator), times),
      .failWrites(machine: machine, Self.writeErrors.randomElement(using: &generator)!, times),
      .changeTable(
        machine: machine,
        Self.profiles.randomElement(using: &generator)!,
        silently: false
      ),
      .hangMethod(Self.methods.randomElement(using: &generator)!, .once),
      .failMethod(Self.methods.randomElement(using: &generator)!, Self.connectErrors[0], .once),
      .delayMethod(Self.methods.randomElement(using: &generator)!, pause),
      .delayMethod("WriteValue", .zero),
      .clearFaults(machine: nil),
      .restart(downFor: pause),
      .power(adapter: "hci0", .off),
      .power(adapter: "hci0", .on),
      .power(adapter: "hci0", .on),
      .removeAdapter("hci0", .allCases.randomElement(using: &generator)!),
      .addAdapter(MockAdapter("hci0")),
      .addAdapter(MockAdapter("hci0")),
      .link(machine: Self.strangers[1].address.string, adapter: nil),
    ]
    await perform(verbs.randomElement(using: &generator)!)
  }

  private func perform(_ verb: MockVerb) async {
    // Many verbs can't be done at many times.
    do {
      try await bench.stage.perform(verb)
      note("\(verb)")
      counts["verb \(verb.name)", default: 0] += 1
    } catch {}
  }

  private func note(_ line: String) {
    trace.append("\(bench.now.seconds) \(line)")
  }

  private static let methods = [
    "Connect", "Disconnect", "StartDiscovery", "StopDiscovery", "SetDiscoveryFilter", "Set",
    "WriteValue", "RemoveDevice",
  ]

  private static let connectErrors = [
    failed("le-connection-abort-by-local"), failed("br-connection-canceled"),
    failed("Operation already in progress"), failed("Input/output error"),
  ]

  private static let writeErrors = [
    DBusError(name: "org.bluez.Error.NotPermitted", message: "Write acquired"),
    DBusError(name: "org.bluez.Error.InProgress", message: "In Progress"),
    failed("Operation failed with ATT error: 0x0e"),
    failed("Operation failed with ATT error: 0x80"), failed("Not connected"),
  ]

  private static func failed(_ message: String) -> DBusError {
    DBusError(name: "org.bluez.Error.Failed", message: message)
  }

  // MARK: Judging

  /// Every way in which what the machine received contradicts what the link said.
  func contradictions() async -> [String] {
    var found: [String] = []
    let writes: [(text: String, time: Double)] = await bench.events.entries.compactMap { event in
      guard case .write(let write, LinkBench.machine) = event.kind else { return nil }
      return (write.text ?? "\(write.value)", event.time)
    }
    for stranger in Self.strangers where await !bench.received(by: stranger.address).isEmpty {
      found.append("the stranger \(stranger.address) received something")
    }
    for stranger in Self.strangers where await !bench.calls(on: stranger.address).isEmpty {
      found.append("the stranger \(stranger.address) was called")
    }
    let given = Dictionary(
      uniqueKeysWithValues: balls.map { (LinkBench.ball($0.number).digits, $0) }
    )
    var last: Given?
    for write in writes where write.text != LinkBench.stop {
      guard let ball = given[write.text] else {
        found.append("\(write.text) was received, and never given")
        continue
      }
      if let last {
        if last.number >= ball.number {
          found.append("ball \(ball.number) after ball \(last.number)")
        }
        // Both bounds are the link's favourable ones: it may have sent that later, and this earlier.
        if write.time < last.submitted.seconds + 2.95 {
          found.append("balls \(last.number) and \(ball.number) within 2.95 s")
        }
      }
      last = ball
    }
    if stops.isEmpty, writes.contains(where: { $0.text == LinkBench.stop }) {
      found.append("a stop that nobody asked for")
    }
    for ball in balls {
      let count = writes.count { $0.text == LinkBench.ball(ball.number).digits }
      let isRight =
        switch ball.outcome {
        case nil: false
        case .delivered: count == 1
        case .notSent: count == 0
        case .queued, .unknown: count <= 1
        }
      if !isRight {
        let outcome = ball.outcome.map { "\($0)" } ?? "without an outcome"
        found.append("ball \(ball.number) is \(outcome), and arrived \(count) times")
      }
    }
    for (index, outcome) in stops.enumerated() {
      switch outcome {
      case nil: found.append("stop \(index) has no outcome")
      case .delivered, .queued:
        if !writes.contains(where: { $0.text == LinkBench.stop }) {
          found.append("stop \(index) is \(outcome!), and none arrived")
        }
      default: break
      }
    }
    return found
  }
}
