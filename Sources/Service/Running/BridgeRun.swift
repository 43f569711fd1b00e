package import Bridge
import Clocks
import ControlProtocol
import Glibc
package import Host
package import MachineLink
package import Positions
import Programs
import Reports
package import Terminal

/// Runs a bridge for `serve`, `simulate` and `replay`: reports its events, ends on SIGINT and
/// SIGTERM.
package struct BridgeRun {
  let link: BallMachineLink
  package let service: BridgeService
  package let clock: SystemClock
  let duration: Duration?
  let start: MonotonicInstant
  private let sink: EventSink
  /// The system's bus may start after us; an explicit address is there already, or is wrong.
  private let busMayComeLater: Bool
  /// Where it is kept for the next run what the link shows.
  private let machines: KnownMachines?
  private let debts: StopDebts?
  private let signals: AsyncStream<Int32>
  /// The claims of the machines that it writes to, for what takes stops there.
  package let claims: AsyncStream<MachineClaim>

  /// From now on signals end the run in order, also before it has begun.
  ///
  /// - Parameter signals: nil: they are taken now.
  package init(
    link configuration: LinkConfiguration,
    bus: String,
    options: BridgeService.Options,
    clock: SystemClock,
    sink: EventSink,
    machines: KnownMachines? = nil,
    signals: AsyncStream<Int32>? = nil
  ) throws(SystemError) {
    self.signals = if let signals { signals } else { try endSignals() }
    let policy: BlueZCentral.ClaimPolicy
    (policy, claims) = BlueZCentral.ClaimPolicy.told()
    link = BallMachineLink(
      configuration: configuration,
      central: BlueZCentral(bus: bus, claims: policy),
      clock: clock
    )
    service = BridgeService(options: options, link: link, clock: clock)
    self.clock = clock
    self.sink = sink
    self.machines = machines
    debts = options.debts
    duration = options.duration
    start = clock.now
    busMayComeLater = !bus.contains(":")
  }

  /// How a run ended.
  package struct Ending: Sendable {
    package var summary: BridgeSummary
    /// Why some events were not reported: the reader has left or takes nothing.
    package var outputFailure: (any Error)?
  }

  /// Runs until the service ends, by itself or by a signal. No reader and no disk can keep it from
  /// ending.
  ///
  /// - Parameters:
  ///   - positions: the service's input.
  ///   - terminal: where to show the live view; without it there is a line per event.
  ///   - readyTimeout: how long the machine may take to be ready; for ever by default.
  ///   - hangUp: what SIGHUP does while the terminal is there; by default it ends the run.
  package func run<Positions: AsyncSequence & Sendable>(
    _ positions: Positions,
    terminal: LiveTerminal? = nil,
    readyTimeout: Duration? = nil,
    hangUp: (@Sendable () async -> Void)? = nil
  ) async throws -> Ending
  where Positions.Element == PositionEvent, Positions.Failure == Never {
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
        group.addTask { await report() }
      }
      let summary = await withTaskGroup(of: Void.self) { watchers in
        // In a task of its own: it may wait for a disk, and SIGTERM must not. Hang-ups that come
        // meanwhile count as one.
        let (hangUps, hungUp) = AsyncStream.makeStream(
          of: Void.self,
          bufferingPolicy: .bufferingNewest(1)
        )
        watchers.addTask { for await _ in hangUps { await hangUp?() } }
        watchers.addTask { [service, signals] in
          for await signal in signals {
            if signal == SIGHUP, hangUp != nil, !controllingTerminal.isGone {
              hungUp.yield()
            } else {
              await service.end()
            }
          }
        }
        if let machines {
          watchers.addTask { [link] in try? await waiting { await machines.follow(link) } }
        }
        if !busMayComeLater {
          watchers.addTask { [service, link] in
            if await link.busIsMissing() { await service.giveUp() }
          }
        }
        if let readyTimeout {
          watchers.addTask { [service, clock] in
            guard (try? await clock.sleep(for: readyTimeout)) != nil else { return }
            if await !service.snapshot.summary.wasReady { await service.giveUp() }
          }
        }
        let summary = await service.run(positions: positions)
        watchers.cancelAll()
        return summary
      }
      OutputThread.shared.hurry()
      await debts?.flushAtEnd()
      await machines?.keepAtEnd(link.status)
      // The reports go on to the last event; the live view has no end of its own.
      if terminal != nil { group.cancelAll() }
      return Ending(summary: summary, outputFailure: await group.next() ?? nil)
    }
    terminal?.leave()
    return ending
  }

  /// Throws if the machine was never ready, unless the run was interrupted, and if the machine
  /// hasn't acknowledged the last stop command.
  package func check(_ summary: BridgeSummary) throws {
    guard summary.wasReady || summary.wasInterrupted else { throw Failure(notReady: summary.link) }
    try checkStop(summary)
  }

  func checkStop(_ summary: BridgeSummary) throws {
    if let stop = summary.stop, summary.isStopUnconfirmed { throw Failure(unconfirmedStop: stop) }
  }

  /// - Returns: why it could not report everything.
  private func report() async -> (any Error)? {
    defer { sink.finish() }
    var changes = VisibleChanges()
    var events = service.events.makeAsyncIterator()
    while let event = await events.next() {
      let record = EventRecord(event, at: clock.now, on: clock)
      let report = EventReport(record, since: start.seconds)
      guard changes.receive(report) || sink.takesEveryChange else { continue }
      do { try await sink.write(report) } catch {
        // Without a reader the run ends: the machine must not feed unwatched.
        await service.end()
        guard error is ReaderStuck else { return error }
        var missed = event.count
        while let event = await events.next() { missed += event.count }
        return ReaderStuck(missedEvents: missed)
      }
    }
    return nil
  }
}
