import Bridge
import CourtLogic
import Host

extension LiveViewState {
  /// What `watch` shows of the service.
  init(_ status: ServiceStatus) {
    self.init(
      // An unknown mode counts as real.
      mode: status.mode == "SIM" ? .simulated : .real,
      elapsed: .seconds(status.uptime),
      link: Link(status.link, at: status.t)
    )
    arming = Arming(status.safety)
    court = status.court.flatMap { try? Court(apron: $0.apron) } ?? Court()
    player = status.player.flatMap(Player.init)
    nextBall = status.nextDecision.map { .seconds($0) }
    holding = Self.holding(status)
    last = status.lastDispatch.flatMap { Dispatch($0, at: status.t) }
    counts = Counts(
      delivered: status.counts.outcomes["delivered"] ?? 0,
      queued: status.counts.outcomes["queued"] ?? 0,
      notSent: status.counts.outcomes["notSent"] ?? 0,
      unknown: status.counts.outcomes["unknown"] ?? 0,
      positions: status.counts.positions,
      refused: (status.counts.badLines ?? 0) + (status.counts.otherPositions ?? 0)
    )
    notice = status.link.isReady ? nil : status.link.remedy
    keys = "Ctrl-C ends this view, not the service. `ballmachine stop' stops the machine."
  }

  private static func holding(_ status: ServiceStatus) -> String? {
    guard status.safety.state == "live" else { return "none" }
    let holds = (status.safety.holds ?? []).filter { $0.code != "notSeen" }
    return holds.first.map { "held: \($0.reason ?? $0.code ?? "")" }
  }
}

extension LiveViewState.Arming {
  fileprivate init(_ safety: ServiceSafety) {
    state = SafetyText(safety).stateText
    tone =
      switch safety.state {
      case "live": .good
      case "stopped": .bad
      default: .waiting
      }
  }
}

extension LiveViewState.Link {
  fileprivate init(_ link: ServiceLink, at now: Double?) {
    state = link.phaseWords
    tone = link.isReady ? .good : link.reason == nil ? .waiting : .bad
    reason = link.isReady ? nil : link.reason
    machine = link.machineText
    let attempts = link.attempts(at: now)
    details = [
      attempts.isEmpty ? nil : attempts.joined(separator: ", "),
      link.profile.map { "profile \($0)" },
      link.since.map { "since \(localTime($0))" }, link.signalText, link.adapterText,
    ].compactMap(\.self)
  }
}

extension LiveViewState.Player {
  fileprivate init?(_ player: ServiceStatus.Player) {
    guard let position = try? PlayerPosition(x: player.x, y: player.y) else { return nil }
    self.init(
      position: position,
      sampleCount: player.samples,
      zone: player.zone.flatMap { Zone($0) }
    )
  }
}

extension LiveViewState.Dispatch {
  fileprivate init?(_ dispatch: ServiceDispatch, at now: Double?) {
    guard let command = try? MachineCommand(digits: dispatch.digits) else { return nil }
    let age = dispatch.t.flatMap { decided in now.map { $0 - decided } }
    self.init(
      command: command,
      zone: dispatch.zone.flatMap { Zone($0) },
      outcome: dispatch.outcome.map { _ in dispatch.outcomeText },
      tone: Self.tone(dispatch.outcome),
      latency: dispatch.latency.map { .seconds($0) },
      age: .seconds(age ?? 0)
    )
  }

  private static func tone(_ outcome: String?) -> LiveViewState.Tone {
    switch outcome {
    case "delivered": .good
    case "queued", nil: .waiting
    default: .bad
    }
  }
}
