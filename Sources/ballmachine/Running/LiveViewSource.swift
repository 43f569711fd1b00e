import Bridge
import Clocks
import CourtLogic
import Host
import MachineLink
import Safety

/// Fills the live view from a running bridge, ten times a second.
struct LiveViewSource {
  private static let interval = Duration.milliseconds(100)

  let run: BridgeRun

  /// Draws until the task is cancelled.
  func show(on terminal: LiveTerminal) async {
    while !Task.isCancelled {
      await terminal.show(state(await run.service.snapshot))
      // In real time, at any speed of the simulation.
      try? await Task.sleep(for: Self.interval)
    }
  }

  private func state(_ snapshot: BridgeSnapshot) -> LiveViewState {
    let status = snapshot.link
    var state = LiveViewState(
      mode: status.isSimulated == true ? .simulated : .real,
      elapsed: snapshot.summary.duration,
      link: LiveViewState.Link(
        state: status.phase.words,
        tone: status.phase == .ready ? .good : status.fault == nil ? .waiting : .bad,
        reason: status.phase == .ready ? nil : status.fault?.reason,
        machine: status.machineText,
        details: details(status, at: snapshot.time)
      )
    )
    state.duration = run.duration
    state.speed = run.clock.speed
    state.court = run.court
    state.player = snapshot.player.map {
      LiveViewState.Player(position: $0.position, sampleCount: $0.sampleCount, zone: $0.zone)
    }
    state.nextBall = snapshot.nextDecision.map { snapshot.time.duration(to: $0) }
    state.holding = holding(snapshot)
    state.last = snapshot.lastDispatch.map { last($0, at: snapshot.time) }
    let summary = snapshot.summary
    state.counts = LiveViewState.Counts(
      delivered: summary.delivered,
      queued: summary.queued,
      notSent: summary.notSent,
      unknown: summary.unknown,
      positions: summary.positions,
      refused: summary.badLines + summary.otherPositions
    )
    state.notice = status.phase == .ready ? nil : status.advice
    return state
  }

  private func details(_ status: LinkStatus, at now: MonotonicInstant) -> [String] {
    var details: [String] = []
    let next = status.nextAttempt.map {
      "next try in \(max(now.duration(to: $0), .zero).seconds.fixed(1)) s"
    }
    let attempt = status.attempt.flatMap { $0 > 1 ? "attempt \($0)" : nil }
    let tries = [attempt, next].compactMap(\.self)
    if !tries.isEmpty { details.append(tries.joined(separator: ", ")) }
    if let profile = status.profile { details.append("profile \(profile)") }
    details.append("since \(WallTime(of: status.since, on: run.clock).local)")
    if let signal = status.signal { details.append(signal.text(at: now)) }
    if let adapter = status.adapter?.text { details.append(adapter) }
    return details
  }

  private func holding(_ snapshot: BridgeSnapshot) -> String? {
    if snapshot.link.phase == .shuttingDown { return "none: ending" }
    let safety = snapshot.safety
    switch safety.state {
    case .disarmed(.atStart) where snapshot.link.phase != .ready: return "the machine is not ready"
    case .disarmed, .pending, .paused, .stopped, .countdown:
      return SafetyText(safety.state, at: snapshot.time).stateText
    case .live: return safety.holds.first { $0 != .notSeen }.map { "held: \($0)" }
    }
  }

  private func last(
    _ dispatch: Dispatch,
    at now: MonotonicInstant
  ) -> LiveViewState.Dispatch {
    LiveViewState.Dispatch(
      command: dispatch.decision.command,
      zone: dispatch.decision.zone,
      outcome: dispatch.outcome?.text,
      tone: dispatch.outcome.map(tone) ?? .waiting,
      latency: dispatch.latency,
      age: dispatch.decision.time.duration(to: now)
    )
  }

  private func tone(_ outcome: WriteOutcome) -> LiveViewState.Tone {
    switch outcome {
    case .delivered: .good
    case .queued: .waiting
    case .notSent, .unknown: .bad
    }
  }
}
