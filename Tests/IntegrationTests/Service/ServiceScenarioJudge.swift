/// What must not be in a ``ServiceScenario``, whatever happens in it.
struct ServiceScenarioJudge {
  let scenario: ServiceScenario
  /// What the machine was sent, in order.
  let writes: [ProgramEvent]

  var contradictions: [String] {
    ballsTooSoon + staleBalls + ballsWhileStopped + falseConfirmations + ends + inheritedStops
      + outcomes
  }

  private struct Ball {
    var time: Double
    var digits: String
  }

  private var balls: [Ball] {
    writes.filter { $0.value != CourtFacts.stop }
      .map { Ball(time: $0.t ?? 0, digits: $0.value ?? "") }
  }

  private func balls(of run: ServiceScenario.Run) -> [Ball] {
    balls.filter { $0.time >= run.started && $0.time <= run.ended }
  }

  private func isStop(_ write: ProgramEvent) -> Bool { write.value == CourtFacts.stop }

  /// An answer that takes no longer than 0.25 s may leave 2.7 s between two balls at the machine.
  private var ballsTooSoon: [String] {
    scenario.runs.flatMap { run in
      let balls = balls(of: run)
      return zip(balls, balls.dropFirst()).compactMap { last, next in
        next.time - last.time < 2.69
          ? "balls \(next.time - last.time) s apart at \(next.time)" : nil
      }
    }
  }

  /// A second is averaged, a freeze of half a second is not noticed, a decision lives for half a second.
  /// A slow answer is one of BlueZ's, which has the command all the time.
  private var staleBalls: [String] {
    let columns = Dictionary(
      uniqueKeysWithValues: (0..<4).map { (CourtFacts.row2[$0], $0) }
    )
    return balls.compactMap { ball in
      guard let column = columns[ball.digits] else { return "a ball of no zone: \(ball.digits)" }
      let earliest = ball.time - 2.2 - scenario.delay(at: ball.time)
      let times = stride(from: earliest, through: ball.time, by: 0.05)
      return times.contains { scenario.walk.column(at: $0) == column }
        ? nil : "a ball at column \(column) at \(ball.time), where nobody was"
    }
  }

  private var ballsWhileStopped: [String] {
    scenario.stops.filter { ["confirmed", "unconfirmed"].contains($0.outcome) }.flatMap { stop in
      let end =
        (scenario.resets + scenario.runs.map(\.started)).filter { $0 > stop.answered }.min()
        ?? .infinity
      return balls.filter { $0.time > stop.answered && $0.time < end }
        .map { "a ball at \($0.time), behind the stop at \(stop.answered)" }
    }
  }

  private var falseConfirmations: [String] {
    scenario.stops.filter { $0.outcome == "confirmed" }.compactMap { stop in
      writes.contains { isStop($0) && $0.t ?? 0 > stop.asked - 7 && $0.t ?? 0 <= stop.answered }
        ? nil : "a stop called confirmed at \(stop.answered), and none arrived"
    }
  }

  /// An end in order says whether the machine has its stop command.
  private var ends: [String] {
    scenario.runs.compactMap { run in
      guard let code = run.code else { return nil }
      if run.ending > 10 { return "an end after \(run.ending) s" }
      guard let last = balls(of: run).last else { return nil }
      let isStopped = writes.contains {
        isStop($0) && $0.t ?? 0 > last.time && $0.t ?? 0 <= run.ended
      }
      if code == 0, !isStopped {
        return "an end with 0 at \(run.ended), and no stop behind the ball"
      }
      if code != 0, !run.owesStop { return "an end with \(code) at \(run.ended), and none is owed" }
      return nil
    }
  }

  /// What was owed is the next run's first write.
  private var inheritedStops: [String] {
    scenario.runs.filter(\.inheritsStop).compactMap { run in
      let first = writes.first { $0.t ?? 0 >= run.started && $0.t ?? 0 <= run.ended }
      return first.map(isStop) ?? true
        ? nil : "a ball at \(run.started) before the stop that was owed"
    }
  }

  /// Each ball that is called delivered has arrived, each that arrived was told of.
  private var outcomes: [String] {
    scenario.runs.compactMap { run in
      let told = run.told.named("dispatch")
      let delivered = told.count { $0.outcome == "delivered" }
      let possible = told.count { $0.outcome != "notSent" } + (run.code == nil ? 1 : 0)
      let arrived = balls(of: run).count
      return (delivered...max(delivered, possible)).contains(arrived)
        ? nil : "\(arrived) balls arrived, \(delivered) to \(possible) were told"
    }
  }
}
