package import CourtLogic
package import MachineLink

/// The bridge at work: positions in, one command every 3 s out, for as long as it runs.
package actor BridgeService {
  package struct Options: Sendable {
    package var logic: LogicManager
    /// Whether it feeds balls as soon as the machine is ready.
    package var isArmed: Bool
    /// When it ends by itself.
    package var duration: Duration?

    package init(logic: LogicManager, isArmed: Bool, duration: Duration? = nil) {
      self.logic = logic
      self.isArmed = isArmed
      self.duration = duration
    }
  }

  /// Everything that happens. A reader that is far behind misses the oldest; the summary doesn't.
  package nonisolated let events: AsyncStream<BridgeEvent>
  private let continuation: AsyncStream<BridgeEvent>.Continuation
  private static let backlog = 1024

  private let link: BallMachineLink
  private let clock: any MonotonicClock
  private let duration: Duration?
  private let start: MonotonicInstant
  private var logic: LogicManager
  private var isArmed: Bool
  private var status: LinkStatus
  private var summary = BridgeSummary()
  private var lastPosition: MonotonicInstant?
  private var lastDispatch: Dispatch?
  private var sends: [Int: Task<Void, Never>] = [:]
  private var alarm: (instant: MonotonicInstant, task: Task<Void, Never>)?
  private var endWaiter: CheckedContinuation<Void, Never>?
  private var isEnding = false
  private var isWindingDown = false

  package init(options: Options, link: BallMachineLink, clock: any MonotonicClock) {
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.backlog))
    self.link = link
    self.clock = clock
    logic = options.logic
    isArmed = options.isArmed
    duration = options.duration
    start = clock.now
    status = LinkStatus(since: start)
  }

  /// Runs until ``end()``, the end of the positions, or the duration, then stops the machine.
  ///
  /// - Parameter positions: arrival instants are on the service's clock.
  package func run<Positions: AsyncSequence & Sendable>(
    positions: Positions
  ) async -> BridgeSummary where Positions.Element == PositionEvent, Positions.Failure == Never {
    await withTaskGroup { group in
      group.addTask { [link] in await link.run() }
      group.addTask { [link] in
        for await status in await link.statuses() { await self.linkChanged(status) }
      }
      group.addTask {
        for await event in positions { await self.take(event) }
      }
      if let duration {
        group.addTask { [clock] in
          guard (try? await clock.sleep(for: duration)) != nil else { return }
          await self.windDown()
        }
      }
      await hasReachedEnd()
      await stop()
      group.cancelAll()
    }
    summary.duration = start.duration(to: clock.now)
    continuation.finish()
    return summary
  }

  /// Ends the service at once: no more decisions, a stop command if it was feeding, the link closed.
  package func end() {
    summary.wasInterrupted = true
    giveUp()
  }

  /// Ends the service like ``end()``, but by itself: it can't do what it is for.
  package func giveUp() {
    isEnding = true
    endWaiter?.resume()
    endWaiter = nil
  }

  /// Ends the service when it is through: a stop command at once would make the outcome of what is
  /// on its way unknown, so that outcome comes first.
  private func windDown() {
    isWindingDown = true
    setAlarm(nil)
    if sends.isEmpty { giveUp() }
  }

  private func hasReachedEnd() async {
    guard !isEnding else { return }
    await withCheckedContinuation { endWaiter = $0 }
  }

  private func stop() async {
    setAlarm(nil)
    if isArmed {
      let outcome = await link.sendLastStop()
      if case .notSent = outcome, !summary.wasReady {
        // No machine was ever there, so that there is nothing to stop.
      } else {
        summary.stop = outcome
        continuation.yield(.stopped(outcome))
      }
    }
    await link.end()
    // The link has told every command's outcome by now.
    for task in sends.values { await task.value }
  }

  /// The bridge as it is now.
  package var snapshot: BridgeSnapshot {
    let now = clock.now
    let average = logic.average(at: now)
    var summary = summary
    summary.duration = start.duration(to: now)
    return BridgeSnapshot(
      time: now,
      link: status,
      isArmed: isArmed,
      player: average.map { ($0.0, $0.count, logic.court.zone(at: $0.0)) },
      nextDecision: isFeeding ? logic.nextDecision : nil,
      lastPosition: lastPosition,
      lastDispatch: lastDispatch,
      summary: summary
    )
  }

  // MARK: Positions

  private func take(_ event: PositionEvent) {
    switch event {
    case .position(let position, let source, let arrival):
      guard logic.insert(position, from: source, at: arrival) == .accepted else {
        summary.otherPositions += 1
        return
      }
      summary.positions += 1
      lastPosition = arrival
      ask()
    case .badLine:
      summary.badLines += 1
      continuation.yield(.positions(event))
    case .opened, .closed, .clientRefused:
      continuation.yield(.positions(event))
    case .ended:
      continuation.yield(.positions(event))
      windDown()
    }
  }

  // MARK: Decisions

  /// Nothing is decided unless what is decided can be sent.
  private var isFeeding: Bool { isArmed && status.phase == .ready && !isWindingDown && !isEnding }

  private func linkChanged(_ new: LinkStatus) {
    status = new
    summary.wasReady = summary.wasReady || new.phase == .ready
    summary.link = new
    summary.isSimulated = new.isSimulated ?? summary.isSimulated
    continuation.yield(.link(new))
    ask()
  }

  /// Asks the logic, if it is time, and sets the alarm for when it will be.
  private func ask() {
    guard isFeeding else {
      setAlarm(nil)
      return
    }
    if let next = logic.nextDecision, next <= clock.now, let decision = logic.decide(at: clock.now)
    {
      dispatch(decision)
    }
    setAlarm(logic.nextDecision)
  }

  private func setAlarm(_ instant: MonotonicInstant?) {
    guard alarm?.instant != instant else { return }
    alarm?.task.cancel()
    alarm = instant.map { instant in
      let task = Task { [clock] in
        guard (try? await clock.sleep(until: instant, tolerance: .zero)) != nil else { return }
        self.rang(at: instant)
      }
      return (instant, task)
    }
  }

  private func rang(at instant: MonotonicInstant) {
    guard alarm?.instant == instant else { return }
    alarm = nil
    ask()
  }

  private func dispatch(_ decision: Decision) {
    summary.count(decision)
    let dispatch = Dispatch(number: summary.dispatches, decision: decision)
    lastDispatch = dispatch
    sends[dispatch.number] = Task { [link] in
      let outcome = await link.send(decision.command, decidedAt: decision.time)
      self.finished(dispatch, outcome)
    }
  }

  private func finished(_ dispatch: Dispatch, _ outcome: WriteOutcome) {
    var dispatch = dispatch
    let latency = dispatch.decision.time.duration(to: clock.now)
    dispatch.outcome = outcome
    dispatch.latency = latency
    sends[dispatch.number] = nil
    defer { if isWindingDown, sends.isEmpty { giveUp() } }
    summary.count(outcome, after: latency)
    if lastDispatch?.number == dispatch.number { lastDispatch = dispatch }
    continuation.yield(.dispatched(dispatch))
  }
}
