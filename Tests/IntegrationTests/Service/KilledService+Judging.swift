// What must not be, whenever a service was killed.

extension KilledService {
  /// Everything that contradicts a rule; empty when all is well.
  var contradictions: [String] {
    ballsThatNeverLeft + ballsBeforeTheirTime + ballsUntold + stopsBehindIt + armsAfterTheStart
      + logsThatLack
  }

  private func ifSo(_ isSo: Bool, _ text: String) -> [String] { isSo ? [text] : [] }

  /// A dead process sends nothing: whatever the machine received has left before.
  private var ballsThatNeverLeft: [String] {
    let balls = received.filter { $0 != CourtFacts.stop }
    return ifSo(balls != self.balls, "it left the balls \(self.balls), the machine got \(balls)")
      + ifSo(
        written.map(\.digits).drop { $0 != CourtFacts.stop }.contains { $0 != CourtFacts.stop },
        "a ball behind its own stop command: \(written.map(\.digits))"
      )
  }

  /// Nothing leaves before the countdown is over that it told of.
  private var ballsBeforeTheirTime: [String] {
    guard written.first?.isBall == true, let firstWrite else { return [] }
    guard let countdown = told.named("safety").first(where: { $0.state == "countdown" }),
      let time = countdown.t, let remaining = countdown.remaining
    else { return ["a ball, and no countdown was told"] }
    // What remains is told in milliseconds.
    return ifSo(
      firstWrite < time + remaining - 0.001,
      "a ball \(firstWrite - time) s after it told of a countdown of \(remaining) s"
    )
  }

  /// It tells of each ball what became of it, one after the other: only the last may be missing.
  private var ballsUntold: [String] {
    let told = toldBalls.map { $0.command ?? "" }
    var outcomes = toldBalls.map { $0.outcome ?? "" }
    // An end may come in the middle of a write.
    if plan.cue == .end, outcomes.last == "unknown" { outcomes.removeLast() }
    return ifSo(
      !balls.starts(with: told) || balls.count > told.count + 1,
      "it told of the balls \(told), and left \(balls) on the bus"
    )
      + ifSo(
        outcomes.contains { $0 != "delivered" },
        "balls came to nothing: \(outcomes)"
      )
  }

  /// Behind a kill there is one stop command, by safe-stop, and it is the last that the machine got;
  /// behind an end in order there is the service's own.
  private var stopsBehindIt: [String] {
    let ownStops = written.filter { !$0.isBall }.count
    let stops = received.filter { $0 == CourtFacts.stop }.count
    let wanted = ownStops + (wasKilled ? 1 : 0)
    return ifSo(
      stops != wanted,
      "\(stops) stop commands at the machine, not \(wanted): \(ownStops) of the service's own"
    )
      + ifSo(received.last != CourtFacts.stop, "the last at the machine was no stop command")
      + ifSo(ownStops > 1, "\(ownStops) stop commands of the service's own")
      + ifSo(ownStops > 0 && plan.cue != .end, "it stopped the machine, and nobody had asked it to")
      + ifSo(!wasKilled && ownStops == 0, "it ended in order without a stop command")
      + ifSo(writtenBySafeStop.contains(where: \.isBall), "safe-stop sent \(writtenBySafeStop)")
      + ifSo(safeStop.code != 0, "safe-stop ended with \(safeStop.code): \(safeStop.errors)")
      + ifSo(
        safeStop.told.map(\.outcome) != (wasKilled ? ["delivered"] : []),
        "safe-stop told \(safeStop.told)"
      )
  }

  /// Who is started again saw the player, was linked to the machine, and left it alone.
  private var armsAfterTheStart: [String] {
    ifSo(!writtenByNext.isEmpty, "the next start sent \(writtenByNext)")
      + ifSo(
        next.told.named("safety").contains { $0.state != "disarmed" },
        "the next start was armed: \(next.told.named("safety"))"
      )
      + ifSo(!next.told.named("dispatch").isEmpty, "the next start decided")
      + ifSo(next.code != 0, "the next start ended with \(next.code): \(next.errors)")
      + ifSo(next.told.last?.positions ?? 0 == 0, "the next start saw nobody")
  }

  /// Whatever a kill leaves of a log can be read, and has all that was told but perhaps the last.
  private var logsThatLack: [String] {
    let balls = log?.named("dispatch").map { $0.command ?? "" } ?? []
    return ifSo(
      !self.balls.starts(with: balls) || self.balls.count > balls.count + 1,
      "it logged the balls \(balls), and left \(self.balls) on the bus"
    )
      + ifSo(log == nil && !toldBalls.isEmpty, "it left no log")
      + ifSo(logOfNext == nil, "the next start left no log")
      + ifSo(logOfNext?.tail.isEmpty == false, "the log of the next start is torn")
      + [log, logOfNext].compactMap(\.self).flatMap { log in
        ifSo(!log.badLines.isEmpty, "a log with bad lines: \(log.badLines)")
          + ifSo(
            log.lines.first.map { $0.event != "session" } ?? false,
            "a log without a beginning"
          )
          + ifSo(
            log.replays.contains { $0.code != 0 },
            "a log that can't be replayed: \(log.replays.map(\.errors))"
          )
      }
  }
}

extension KilledService: CustomStringConvertible {
  /// All that there was to be seen, for whoever looks for the reason of a contradiction.
  var description: String {
    """
    \(plan); \(wasKilled ? "killed" : "ended") \(phase.rawValue)
    told: \(told.map { "\($0.t ?? 0) \($0.event) \($0.state ?? "") \($0.command ?? "")" })
    left on the bus: \(written); safe-stop: \(writtenBySafeStop); next start: \(writtenByNext)
    at the machine: \(received), the first given to BlueZ at \(firstWrite ?? 0)
    safe-stop: \(safeStop)
    """
  }
}
