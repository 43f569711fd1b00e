import Bridge
import CourtLogic
import MachineLink

/// Runs a bridge for `serve`, `simulate` and `replay`: tells what happens, ends on SIGINT and
/// SIGTERM.
struct BridgeRun {
  let link: BallMachineLink
  let service: BridgeService
  let clock: SystemClock
  let output: Output
  let court: Court
  let duration: Duration?
  let start: MonotonicInstant

  init(
    link configuration: LinkConfiguration,
    bus: String,
    options: BridgeService.Options,
    clock: SystemClock,
    output: Output
  ) {
    link = BallMachineLink(
      configuration: configuration,
      central: BlueZCentral(bus: bus),
      clock: clock
    )
    service = BridgeService(options: options, link: link, clock: clock)
    self.clock = clock
    self.output = output
    court = options.logic.court
    duration = options.duration
    start = clock.now
  }

  /// Runs until the service ends, by itself or by a signal.
  ///
  /// - Parameters:
  ///   - positions: what the service is fed with.
  ///   - terminal: where to show the live view; without it there is a line per event.
  func run<Positions: AsyncSequence & Sendable>(
    _ positions: Positions,
    terminal: LiveTerminal? = nil
  ) async throws -> BridgeSummary
  where Positions.Element == PositionEvent, Positions.Failure == Never {
    let endSignals = EndSignals()
    defer { withExtendedLifetime(endSignals) {} }
    let signals = endSignals.signals
    let summary = try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [service] in
        for await _ in signals { await service.end() }
      }
      if let terminal {
        terminal.enter()
        let view = LiveViewSource(run: self)
        group.addTask { try await view.show(on: terminal) }
      } else {
        group.addTask { try await tell() }
      }
      let summary = await service.run(positions: positions)
      // What has happened is told to the end; what waits for more is called off.
      if terminal == nil { try await group.next() } else { group.cancelAll() }
      group.cancelAll()
      return summary
    }
    terminal?.leave()
    return summary
  }

  /// A run in which the machine was never ready has failed, and says why.
  func checkReadiness(_ summary: BridgeSummary) throws {
    guard !summary.wasReady else { return }
    throw Failure(notReady: summary.fault)
  }

  private func tell() async throws {
    let elapsed = ElapsedTime(start: start)
    var lastLink: String?
    do {
      for await event in service.events {
        let now = clock.now
        switch event {
        case .link(let status):
          let report = LinkReport(status: status, time: now, elapsed: elapsed)
          // For people only what they would see as a change: not the signal strength alone.
          if output.style == .json || report.summary != lastLink { try output.write(report) }
          lastLink = report.summary
        case .dispatched(let dispatch):
          try output.write(DispatchReport(dispatch: dispatch, elapsed: elapsed))
        case .stopped(let outcome):
          try output.write(StopReport(outcome: outcome, time: now, elapsed: elapsed))
        case .positions(let event):
          try output.write(FeedReport(event: event, time: now, elapsed: elapsed))
        }
      }
    } catch {
      // Nobody reads what we say: the machine is not left alone with that.
      await service.end()
      throw error
    }
  }
}
