package import ControlProtocol

/// Turns the service's events into cues. What people have heard already isn't said again.
package struct CueSequence: Hashable, Sendable {
  /// What safety's cues depend on.
  private struct Situation: Hashable {
    let state: String
    let code: String?
    /// What came of a stop; nil for another state.
    let outcome: String?
  }

  private enum Link: Hashable {
    case unknown, ready, lost
  }

  /// The balls are over, but for the last one, which may still come. It is said once the machine
  /// has confirmed the stop that follows.
  private struct Held: Hashable {
    let name: Cue.Name
    /// When a rest ends, on the service's clock; nil for another cue.
    let end: Double?
    /// What was said of the stop meanwhile.
    var stop: Cue.Name?
  }

  private struct Place: Hashable {
    let set: Int
    let ball: Int
  }

  /// Nil: not known yet, or not any more.
  private var situation: Situation?
  /// When the countdown ends, on the service's clock; nil: there is none.
  private var countdownEnd: Double?
  private var held: Held?
  private var link = Link.unknown
  private var place: Place?
  /// Whether the service went away while balls could fly: then people want to hear how it is.
  private var isMissed = false

  package init() {}

  package mutating func receive(_ record: EventRecord) -> Cue? {
    switch record.event {
    case .safety(let safety): receive(safety, at: record.t)
    case .link(let link): receive(link)
    case .training(let training): receive(training)
    case .manual(let manual): receive(manual)
    case .stop(let stop): receive(stop, at: record.t)
    default: nil
    }
  }

  /// A stop's outcome is still not known after ``patience``: the machine may be away, and gets the
  /// stop when it is back.
  package func waitForStop() -> Cue? {
    guard situation?.state == "stopped", stopped(situation?.outcome) == .stopping else {
      return nil
    }
    return Cue(.stopUnconfirmed)
  }

  /// How long people wait for a stop's outcome. A machine in reach acknowledges it in 0.25 s.
  package static let patience = Duration.seconds(2)

  /// The service is not there any more.
  package mutating func lose() -> Cue? {
    let isQuiet =
      switch situation?.state {
      case "disarmed", "pending", nil: held == nil
      case "stopped": situation?.outcome == "confirmed"
      default: false
      }
    let isMissed = isMissed || !isQuiet
    self = CueSequence()
    self.isMissed = isMissed
    return isQuiet ? nil : Cue(.noService)
  }

  private mutating func receive(_ safety: SafetyRecord, at t: Double) -> Cue? {
    let before = situation
    let now = Situation(state: safety.state, code: safety.code, outcome: safety.stop?.outcome)
    let end = safety.state == "countdown" ? safety.remaining.map { t + $0 } : nil
    // The service stood still: the countdown that was heard is not true any more.
    let beginsAgain = if let end, let countdownEnd { end > countdownEnd + 0.5 } else { false }
    guard now != before || beginsAgain else { return nil }
    situation = now
    held = nil
    countdownEnd = end
    // Rounded up: a part of a second is no time to be ready in.
    let seconds = Int((safety.remaining ?? 0).rounded(.up))
    switch safety.state {
    case "disarmed":
      // It is no news when this program begins.
      guard before != nil || isMissed else { return nil }
      switch safety.code {
      case "drillOver": held = Held(name: .drillOver, end: nil)
      case "ballLimit": held = Held(name: .disarmed, end: nil)
      default: return Cue(.disarmed)
      }
      return nil
    case "countdown":
      // Then the link is back: the countdown says so.
      if safety.code == "linkLoss" { link = .ready }
      guard seconds > 0 else { return nil }
      return Cue(safety.code == "rest" ? .nextSet : .countdown, seconds: seconds)
    case "resting":
      held = Held(name: .rest, end: t + (safety.remaining ?? 0))
      return nil
    case "live": return Cue(.live)
    case "paused": return paused(safety.code)
    case "stopped": return Cue(stopped(safety.stop?.outcome))
    default: return nil
    }
  }

  private mutating func receive(_ stop: StopRecord, at t: Double) -> Cue? {
    guard let held else { return nil }
    let outcome = stopped(stop.outcome)
    guard outcome != .stopped else {
      self.held = nil
      return Cue(held.name, seconds: held.end.map { Int(max(0, $0 - t).rounded(.up)) })
    }
    self.held?.stop = outcome
    // In a rest nothing was promised: the next set follows.
    let isNews = outcome != .stopping && outcome != held.stop && held.name != .rest
    return isNews ? Cue(outcome) : nil
  }

  /// While armed, the pause was said.
  private func receive(_ manual: ManualRecord) -> Cue? {
    guard manual.outcome.outcome != "notSent", !SafetyRecord.isArmed(situation?.state ?? "pending")
    else { return nil }
    return Cue(.ballByHand)
  }

  private mutating func paused(_ code: String?) -> Cue? {
    switch code {
    case "silence": return Cue(.noPlayer)
    case "manual": return Cue(.pausedByHand)
    case "refused": return Cue(.refused)
    case "linkLoss":
      // The link's own event may come before this one.
      guard link != .lost else { return nil }
      link = .lost
      return Cue(.linkLost)
    default: return Cue(.paused)
    }
  }

  private func stopped(_ outcome: String?) -> Cue.Name {
    switch SafetyRecord.Stop.Meaning(outcome: outcome) {
    case .stopping: .stopping
    case .stopped: .stopped
    case .stopUnconfirmed: .stopUnconfirmed
    case .stopNotDelivered: .stopNotDelivered
    }
  }

  private mutating func receive(_ record: LinkRecord) -> Cue? {
    switch (record.state, link) {
    case ("ready", _):
      defer { link = .ready }
      return link == .lost ? Cue(.linkBack) : nil
    // The service lets the machine go.
    case ("shuttingDown", _), ("ended", _): return nil
    case (_, .ready):
      link = .lost
      return Cue(.linkLost)
    default: return nil
    }
  }

  private mutating func receive(_ training: TrainingRecord) -> Cue? {
    guard let set = training.set, let ball = training.ball, let balls = training.ballsPerSet else {
      place = nil
      return nil
    }
    let before = place
    place = Place(set: set, ball: ball)
    return place != before && ball > 0 && ball == balls - 1 ? Cue(.lastBall) : nil
  }
}
