import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import MachineLink
import Positions
import Safety
import TestSupport
import Testing

/// A service with a fake machine, on a clock that stands still.
final class ServiceFixture: Sendable {
  let clock = ManualClock()
  let central: FakeCentral
  let link: BallMachineLink
  let service: BridgeService
  private let feeder: AsyncStream<PositionEvent>.Continuation
  private let running: Task<BridgeSummary, Never>

  static let ball = "123451234512341234"
  static let framedTable = CommandTable { zone in
    try! MachineCommand(.framed, [40, 40, zone.row, zone.column, 50])
  }
  static let stop = MachineCommand.stop.text

  /// Starts it.
  ///
  /// - Parameters:
  ///   - stop: what stops the machine.
  ///   - adapt: changes its options: by default it doesn't arm itself.
  init(
    central: FakeCentral = FakeCentral(),
    encoding: CommandEncoding = .digits,
    stop: MachineCommand? = nil,
    _ adapt: (inout BridgeService.Options) -> Void = { _ in }
  ) throws {
    self.central = central
    var configuration = LinkConfiguration(encoding: encoding, stopCommand: stop)
    let isAddress = configuration.setAddress(FakeCentral.address)
    try #require(isAddress)
    link = BallMachineLink(configuration: configuration, central: central, clock: clock, seed: 1)
    var options = BridgeService.Options(
      logic: LogicManager(
        .init(
          table: encoding == .digits ? CommandTableFile.builtIn : Self.framedTable
        )
      ),
      armsAtStart: false
    )
    options.stopCommand = configuration.stopCommand
    options.limits = MachineLimits(configuration.stopCommand.encoding)
    adapt(&options)
    let service = BridgeService(options: options, link: link, clock: clock)
    self.service = service
    let (positions, feeder) = AsyncStream.makeStream(of: PositionEvent.self)
    self.feeder = feeder
    running = Task { await service.run(positions: positions) }
  }

  /// Ends the service in order, in as much time as that takes.
  func end() async throws -> BridgeSummary {
    await service.end()
    try await letTimePass { await self.link.status.phase != .ended }
    return await running.value
  }

  // MARK: What happens

  func feed(_ event: PositionEvent) { feeder.yield(event) }

  /// Puts the player there, and waits until the service has seen it.
  func stand(x: Double = 4, y: Double = 9) async throws {
    let position = try PlayerPosition(x: x, y: y)
    let before = await service.snapshot.summary.counts.positions
    feed(.position(position, from: SourceID(connection: "test"), at: clock.now))
    while await service.snapshot.summary.counts.positions == before {
      try await Task.yieldUnlessCancelled()
    }
  }

  /// Lets time pass in small steps for as long as it takes.
  func letTimePass(while isWaiting: () async -> Bool) async throws {
    while await isWaiting() {
      clock.advance(by: .milliseconds(10))
      // Time must not outrun the answers, however busy the box is.
      for _ in 0..<20 { try await Task.yieldUnlessCancelled() }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  func wait(for phase: LinkStatus.Phase) async {
    for await case .link(let status) in await service.subscribe() where status.phase == phase {
      return
    }
  }

  /// Lets the link come back: the bridge may have to wait for its next attempt.
  func relink() async throws {
    await central.setLinked(true)
    try await letTimePass { await self.link.status.phase != .ready }
    await wait(for: .ready)
  }

  func waitForNoLink() async {
    for await case .link(let status) in await service.subscribe() where status.phase != .ready {
      return
    }
  }

  /// Waits for a state with this word.
  @discardableResult func wait(for word: String) async -> SafetyStatus? {
    for await case .safety(let status) in await service.subscribe() where status.state.word == word
    {
      return status
    }
    return nil
  }

  /// Waits until the machine has got so many writes.
  func written(atLeast count: Int) async throws -> [String] {
    while await central.written.count < count { try await Task.yieldUnlessCancelled() }
    return await central.written
  }

  /// Waits until the outcome of the last automatic ball is known: while it is on its way, nothing is
  /// decided.
  func landed() async throws {
    while let last = await service.snapshot.lastDispatch, last.outcome == nil {
      try await Task.yieldUnlessCancelled()
    }
  }

  /// Waits for the next automatic ball's outcome; the stream is one that was begun before it.
  func dispatch(_ events: BridgeEvents) async -> DispatchRecord? {
    for await case .record(.dispatch(let dispatch), _) in events { return dispatch }
    return nil
  }

  /// The state of safety, in scripts' words.
  var summary: String { get async { await service.snapshot.safety.summary } }
}

extension SafetyReply {
  /// The refusal's code; nil if it was none.
  var refusal: String? {
    if case .refused(let refusal) = self { refusal.code } else { nil }
  }

  /// What became of the stop command; nil if it was none.
  var stop: StopOutcome? {
    if case .stopped(let outcome, _) = self { outcome } else { nil }
  }
}
