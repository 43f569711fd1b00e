import ControlProtocol
import CourtLogic
import Host

extension LiveViewState {
  /// What the view shows of the service.
  init(_ status: StatusRecord) {
    self.init(
      // An unknown mode counts as real.
      mode: status.mode == "SIM" ? .simulated : .real,
      elapsed: .seconds(status.uptime),
      link: Link(status.link, at: status.t)
    )
    arming = Arming(status.safety)
    if let training = status.training, training.isChosen {
      drill = [training.name, training.place].compactMap(\.self).joined(separator: ", ")
      target = training.next.flatMap { Zone($0) }
    }
    let court = status.court
    self.court =
      (try? Court(apron: court.apron, rows: court.rows, columns: court.columns)) ?? Court()
    interval = status.interval.map { .seconds($0) } ?? interval
    player = status.player.flatMap { Player($0) }
    nextBall = status.nextDecision.map { .seconds($0) }
    holding = status.safety.state == "live" ? status.holdText : "none"
    last =
      status.lastByHand.flatMap { Dispatch($0, at: status.t) }
      ?? status.lastDispatch.flatMap { Dispatch($0, at: status.t) }
    let counts = status.counts
    let byHand = counts.manualOutcomes
    self.counts = Counts(
      delivered: counts.outcomes.delivered + byHand.delivered,
      queued: counts.outcomes.queued + byHand.queued,
      notSent: counts.outcomes.notSent + byHand.notSent,
      unknown: counts.outcomes.unknown + byHand.unknown,
      positions: counts.positions,
      refused: counts.badLines + counts.otherPositions
    )
    notice = status.link.remedy
  }
}

extension LiveViewState {
  /// Takes back what may have changed since the service answered last.
  mutating func doubt(after silence: Duration) {
    guard silence >= .seconds(2) else { return }
    let text = "no answer for \(silence.components.seconds) s"
    link = Link(state: text, tone: .bad)
    arming = Arming(state: text, tone: .bad)
    holding = text
    notice = nil
    player = nil
    last?.age += silence
    if stop?.tone == .waiting { stop?.text += "; use the machine's switch" }
  }
}

extension LiveViewState.Stop {
  init(_ outcome: StopKey.Outcome) {
    switch outcome {
    case .underWay: self.init(text: "stop: on its way", tone: .waiting)
    case .known(let report):
      self.init(text: report.text, tone: report.failure == nil ? .good : .bad)
    case .failed(let error): self.init(text: "\(error)", tone: .bad)
    }
  }
}

extension StatusRecord {
  /// What holds balls back; the view itself shows that no player is seen.
  var holdText: String? {
    safety.holds.first { $0.code != "notSeen" }.map { "held: \($0.reason)" }
  }
}

extension LiveViewState.Arming {
  fileprivate init(_ safety: SafetyRecord) {
    state = safety.stateText
    tone =
      switch safety.state {
      case "live": .good
      case "stopped": .bad
      default: .waiting
      }
  }
}

extension LiveViewState.Link {
  fileprivate init(_ link: LinkRecord, at now: Double) {
    state = link.phaseText
    tone = link.reason != nil ? .bad : link.isReady ? .good : .waiting
    reason = link.reason
    machine = link.machineText
    let attempts = link.attempts(at: now)
    details = [
      attempts.isEmpty ? nil : attempts.joined(separator: ", "),
      link.profile.map { "profile \($0)" }, link.since.map { "since \($0.local)" },
      link.signalText, link.adapterText,
    ].compactMap(\.self)
  }
}

extension LiveViewState.Player {
  fileprivate init?(_ player: StatusRecord.Player) {
    guard let position = try? PlayerPosition(x: player.x, y: player.y) else { return nil }
    self.init(
      position: position,
      sampleCount: player.samples,
      zone: player.zone.flatMap { Zone($0) }
    )
  }
}

extension LiveViewState.Dispatch {
  fileprivate init?(_ dispatch: DispatchRecord, at now: Double) {
    guard let command = try? MachineCommand(text: dispatch.decision.command) else { return nil }
    self.init(
      command: command,
      zone: dispatch.decision.destination.flatMap { Zone($0) },
      outcome: dispatch.outcome == nil ? nil : dispatch.endText,
      tone: Self.tone(dispatch.outcome),
      latency: dispatch.latency.map { .seconds($0) },
      age: .seconds(now - dispatch.decision.t)
    )
  }

  fileprivate init?(_ last: TimedManualRecord, at now: Double) {
    guard let command = try? MachineCommand(text: last.manual.command) else { return nil }
    self.init(
      command: command,
      isByHand: true,
      outcome: last.manual.endText,
      tone: Self.tone(last.manual.outcome),
      latency: .seconds(last.manual.latency),
      age: .seconds(now - last.t)
    )
  }

  private static func tone(_ outcome: OutcomeRecord?) -> LiveViewState.Tone {
    switch outcome?.outcome {
    case "delivered": .good
    case "queued", nil: .waiting
    default: .bad
    }
  }
}
