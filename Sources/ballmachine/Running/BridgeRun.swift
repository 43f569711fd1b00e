import Bridge
import CourtLogic
import Glibc
import MachineLink
import Threads

/// Runs a bridge for `serve`, `simulate` and `replay`: tells what happens, ends on SIGINT and
/// SIGTERM.
struct BridgeRun {
  let link: BallMachineLink
  let service: BridgeService
  let clock: SystemClock
  let court: Court
  let duration: Duration?
  let start: MonotonicInstant
  private let teller: EventTeller
  /// The system's bus may start after us; an address that somebody typed is there or wrong.
  private let busMayComeLater: Bool
  /// Where the machine of a good link is kept for the next run.
  private let memory: MachineMemory?
  private let debts: StopDebts?

  init(
    link configuration: LinkConfiguration,
    bus: String,
    options: BridgeService.Options,
    clock: SystemClock,
    teller: EventTeller,
    memory: MachineMemory? = nil
  ) {
    link = BallMachineLink(
      configuration: configuration,
      central: BlueZCentral(bus: bus),
      clock: clock
    )
    service = BridgeService(options: options, link: link, clock: clock)
    self.clock = clock
    self.teller = teller
    self.memory = memory
    debts = options.debts
    court = options.logic.court
    duration = options.duration
    start = clock.now
    busMayComeLater = !bus.contains(":")
  }

  /// What a run came to.
  struct Ending: Sendable {
    var summary: BridgeSummary
    /// Why some events were not told: the reader has left or takes nothing.
    var untold: (any Error)?
  }

  /// Runs until the service ends, by itself or by a signal. No reader and no disk keeps it from
  /// ending.
  ///
  /// - Parameters:
  ///   - positions: what the service is fed with.
  ///   - terminal: where to show the live view; without it there is a line per event.
  ///   - patience: how long the machine may take to be ready; for ever by default.
  ///   - hangUp: what SIGHUP leads to while the terminal is there; by default to the end.
  func run<Positions: AsyncSequence & Sendable>(
    _ positions: Positions,
    terminal: LiveTerminal? = nil,
    patience: Duration? = nil,
    hangUp: (@Sendable () async -> Void)? = nil
  ) async throws -> Ending
  where Positions.Element == PositionEvent, Positions.Failure == Never {
    let endSignals = try EndSignals()
    defer { withExtendedLifetime(endSignals) {} }
    let signals = endSignals.signals
    let controllingTerminal = ControllingTerminal()
    let ending = await withTaskGroup(of: (any Error)?.self) { group in
      if let terminal {
        terminal.enter()
        let view = LiveViewSource(run: self)
        group.addTask {
          await view.show(on: terminal)
          return nil
        }
      } else {
        group.addTask { await tell() }
      }
      let summary = await withTaskGroup(of: Void.self) { watchers in
        // Beside the other signals: it may wait for a disk, and SIGTERM must not. What comes
        // meanwhile has one more answer in all.
        let (hangUps, hungUp) = AsyncStream.makeStream(
          of: Void.self,
          bufferingPolicy: .bufferingNewest(1)
        )
        watchers.addTask { for await _ in hangUps { await hangUp?() } }
        watchers.addTask { [service] in
          for await signal in signals {
            if signal == SIGHUP, hangUp != nil, !controllingTerminal.isGone {
              hungUp.yield()
            } else {
              await service.end()
            }
          }
        }
        if let memory {
          watchers.addTask { [link] in try? await waiting { await memory.follow(link) } }
        }
        if !busMayComeLater {
          watchers.addTask { [service, link] in
            if await link.busIsMissing() { await service.giveUp() }
          }
        }
        if let patience {
          watchers.addTask { [service, clock] in
            guard (try? await clock.sleep(for: patience)) != nil else { return }
            if await !service.snapshot.summary.wasReady { await service.giveUp() }
          }
        }
        let summary = await service.run(positions: positions)
        watchers.cancelAll()
        return summary
      }
      OutputThread.shared.hurry()
      await debts?.flushAtEnd()
      await memory?.keepAtEnd(link.status.proven)
      // What has happened is told to the end; the live view has none.
      if terminal != nil { group.cancelAll() }
      return Ending(summary: summary, untold: await group.next() ?? nil)
    }
    terminal?.leave()
    return ending
  }

  /// A run has failed in which the machine was never ready, unless it was cut short, and one whose last
  /// stop command the machine hasn't acknowledged.
  func check(_ summary: BridgeSummary) throws {
    guard summary.wasReady || summary.wasInterrupted else { throw Failure(notReady: summary.link) }
    try checkStop(summary)
  }

  func checkStop(_ summary: BridgeSummary) throws {
    if let stop = summary.stop, summary.isStopUnconfirmed { throw Failure(unconfirmedStop: stop) }
  }

  /// - Returns: why it could not tell everything.
  private func tell() async -> (any Error)? {
    defer { teller.finish() }
    let elapsed = ElapsedTime(start: start)
    var lastLink: String?
    var events = service.events.makeAsyncIterator()
    while let event = await events.next() {
      let report = EventReport(
        record: EventRecord(event, at: clock.now, on: clock),
        elapsed: elapsed
      )
      // For people only what they would see as a change: not the signal strength alone.
      if let link = report.linkText?.summary {
        guard teller.tellsEverything || link != lastLink else { continue }
        lastLink = link
      }
      do { try await teller.tell(report) } catch {
        // Without a reader the run ends: the machine must not feed unwatched.
        await service.end()
        guard error is ReaderStuck else { return error }
        var untold = event.count
        while let event = await events.next() { untold += event.count }
        return ReaderStuck(untold: untold)
      }
    }
    return nil
  }
}
