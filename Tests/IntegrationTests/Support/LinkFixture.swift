import BlueZ
import Clocks
import CourtLogic
import MachineLink
import MockMachine
import TestSupport
import Testing

extension LinkFault {
  /// Whether a link fell, for whatever reason.
  var isLinkLost: Bool { if case .linkLost = self { true } else { false } }
}

/// The real link over the real BlueZ client, on a setup of its own.
struct LinkFixture: Sendable {
  static let machine: MockAddress = "F0:F1:F2:F3:F4:F5"

  let setup: any Setup
  let encoding: CommandEncoding
  let link: BallMachineLink
  /// What happens on the setup.
  let events: Journal<MockEvent>
  /// What the link publishes.
  let statuses: Journal<LinkStatus>
  /// The first status of each phase that the link goes through.
  let phases: Journal<LinkStatus>
  /// What goes on between the link and BlueZ.
  let watched: WatchedCentral

  // MARK: The link

  /// Waits for the link's next entry into a phase.
  @discardableResult
  func reaches(_ phase: LinkStatus.Phase) async throws -> LinkStatus {
    try await phases.next("\(phase)") { $0.phase == phase }
  }

  /// Waits for the next status whose fault is this.
  @discardableResult
  func fails(
    _ what: String,
    as isExpected: @Sendable (LinkFault) -> Bool
  ) async throws -> LinkFault {
    let status = try await statuses.next(what) { $0.fault.map(isExpected) ?? false }
    return try #require(status.fault)
  }

  /// Sends the ball with this number, which makes its digits unlike all others.
  func send(_ number: Int) async throws -> WriteOutcome {
    let command = ball(number)
    return try await limited("the outcome of \(command)") { [link, clock = setup.clock] in
      await link.send(command, decidedAt: clock.now)
    }
  }

  /// The same, and the machine's answer.
  func launch(_ number: Int) async throws -> (outcome: WriteOutcome, answer: MachineAnswer?) {
    let command = ball(number)
    return try await limited("the answer to \(command)") { [link, clock = setup.clock] in
      let launched = await link.launch(command, decidedAt: clock.now)
      return (launched.outcome, await link.answer(to: launched.id))
    }
  }

  /// The outcome of ball 2, which waits for its distance from ball 1 while `body` runs.
  func sendTwo(while body: () async throws -> Void) async throws -> WriteOutcome {
    #expect(try await send(1) == .delivered)
    try await pass(.milliseconds(2600))
    async let waiting = send(2)
    try await pass(.milliseconds(50))
    try await body()
    return try await waiting
  }

  func sendStop() async throws -> WriteOutcome {
    try await limited("the outcome of the stop command") { [link] in await link.sendStop() }
  }

  func end() async throws { try await limited("the link's end") { [link] in await link.end() } }

  static func ball(_ number: Int, in encoding: MachineEncoding = .digits) -> MachineCommand {
    precondition(number > 0, "all zeros is the stop command")
    // Nothing but numbers that fit can come of this.
    return switch encoding {
    case .digits:
      try! MachineCommand(.digits, [number / 10_000, 20_000, number % 10_000, 1234])
    case .framed: try! MachineCommand(.framed, [number % 101, number / 101, 20, 45, 50])
    }
  }

  func ball(_ number: Int) -> MachineCommand { Self.ball(number, in: encoding.kind) }

  var stop: String { encoding.stop.text }

  static let stop = MachineCommand.stop.text

  // MARK: The model

  func perform(_ verbs: MockVerb...) async throws {
    for verb in verbs { try await setup.perform(verb) }
  }

  var now: MonotonicInstant { setup.clock.now }

  /// Lets so much time pass.
  func pass(_ duration: Duration) async throws {
    // Real time passes by itself; elsewhere it may be what hangs.
    guard !Setups.isReal else { return try await setup.clock.sleep(for: duration) }
    try await limited("\(duration)") { [clock = setup.clock] in
      try? await clock.sleep(for: duration)
    }
  }

  /// Lets 20 s or more pass in which nothing may happen. Real time is dear: on the real stack a tenth
  /// of it must do without `--full`, though long enough for the next ball.
  func linger(_ duration: Duration) async throws {
    try await pass(Setups.isReal && !Setups.isFull ? max(duration / 10, .seconds(3)) : duration)
  }

  func happens(_ what: String, _ isWanted: @Sendable (MockEvent.Kind) -> Bool) async throws {
    try await events.next(what) { isWanted($0.kind) }
  }

  /// Waits for the next call of a method.
  func called(_ method: String) async throws {
    try await happens("a call of \(method)") { $0.isCall(of: method) }
  }

  /// The digits that a machine received, in order.
  func received(by machine: MockAddress = machine) async -> [String] {
    await setup.received(by: machine).map { $0.text ?? "\($0.value)" }
  }

  /// How they came.
  func forms(at machine: MockAddress = machine) async -> [MockWrite.Form] {
    await setup.received(by: machine).map(\.form)
  }

  /// The methods that were called so far, on one machine or everywhere, in order.
  func calls(on machine: MockAddress? = nil) async -> [String] {
    await events.entries.compactMap { event in
      guard case .called(let method, _, let called, _) = event.kind,
        machine == nil || called == machine
      else { return nil }
      return method
    }
  }

  /// Whether the link has been in a phase.
  func hasBeen(_ phase: LinkStatus.Phase) async -> Bool {
    await phases.entries.contains { $0.phase == phase }
  }
}

extension MockEvent.Kind {
  func isCall(of name: String) -> Bool {
    if case .called(name, _, _, _) = self { true } else { false }
  }
}

/// Runs a test's body on a fixture, and cleans up whatever becomes of it.
///
/// - Parameters:
///   - kernel: what the kernel has; by default nothing is known of it, or what the box's has.
///   - speed: as for ``Setups/set(_:speed:)``.
///   - leavesTraces: the body keeps the link from putting things in order when it ends.
///   - before: what happens before the link starts.
func withLinkFixture(
  _ model: MockModel = .oneMachine,
  _ configuration: LinkConfiguration = LinkConfiguration(),
  kernel: (@Sendable () -> KernelView)? = nil,
  speed: Double? = nil,
  leavesTraces: Bool = false,
  before: (any Setup) async throws -> Void = { _ in },
  _ body: (LinkFixture) async throws -> Void
) async throws {
  let setup = try await Setups.set(model, speed: speed)
  let central = WatchedCentral(BlueZCentral(bus: setup.bus, kernel: kernel))
  let fixture = LinkFixture(
    setup: setup,
    encoding: configuration.encoding,
    link: BallMachineLink(
      configuration: configuration,
      central: central,
      clock: setup.clock,
      seed: 7
    ),
    events: Journal(),
    statuses: Journal(),
    phases: Journal(),
    watched: central
  )
  // Not in a task group, which would wait for what hangs.
  let tasks = [
    Task { for await event in setup.events { await fixture.events.append(event) } },
    Task { await fixture.follow() },
  ]
  let flow = Task { await setup.keepTime(of: fixture) }
  var failure: (any Error)?
  var linkRun: Task<Void, Never>?
  do {
    try await before(setup)
    linkRun = Task { await fixture.link.run() }
    try await body(fixture)
    try await fixture.end()
    if !leavesTraces { try await fixture.checkTraces() }
  } catch {
    failure = error
  }
  if let linkRun {
    linkRun.cancel()
    try await limited("the end of the link's run") { await linkRun.value }
  }
  try await limited("the end of the setup and of both streams") {
    await setup.close()
    for task in tasks { await task.value }
  }
  flow.cancel()
  await flow.value
  if let failure { throw failure }
}

extension LinkFixture {
  fileprivate func follow() async {
    var last: LinkStatus?
    for await status in await link.statuses() {
      await statuses.append(status)
      if status.phase != last?.phase || status.since != last?.since {
        await phases.append(status)
      }
      last = status
    }
  }

  /// What every link must have put in order when it has ended: no scan of its own, no connection.
  fileprivate func checkTraces() async throws {
    // The last events travel for a moment.
    try await pass(.seconds(1))
    #expect(await traces() == [])
  }

  /// The scans and connections that are still there.
  func traces(of machine: MockAddress? = nil) async -> [String] {
    await setup.traces(of: machine, after: events.entries)
  }
}
