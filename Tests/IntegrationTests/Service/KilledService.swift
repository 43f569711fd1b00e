/// What was to be seen of a service from its start past its death to the next start.
struct KilledService: Sendable {
  var plan: KillPlan
  /// What it told, to the last whole line.
  var told: [ProgramEvent]
  /// Killed, not ended before the kill came.
  var wasKilled: Bool
  /// What it left on the bus, in order.
  var written: [BusLedger.Write]
  /// The run log that it has left; nil for none.
  var log: LeftLog?
  /// What became of safe-stop behind it, and what that left on the bus.
  var safeStop: Run
  var writtenBySafeStop: [BusLedger.Write]
  /// The same of the next start, which saw the same player, and was ended in order.
  var next: Run
  var writtenByNext: [BusLedger.Write]
  var logOfNext: LeftLog?
  /// What the machine received in all that time, in order.
  var received: [String]
  /// When BlueZ was given the first of it; seconds of the monotonic clock, as in all that is told.
  var firstWrite: Double?

  /// A program that ran to its end.
  struct Run: Sendable {
    var code: Int32
    var told: [ProgramEvent]
    var errors: String
  }

  var balls: [String] { written.filter(\.isBall).map(\.digits) }
  var toldBalls: [ProgramEvent] { told.named("dispatch") }

  /// What it was doing when it died, by what was to be seen of it.
  enum Phase: String, Hashable, CaseIterable {
    /// Without a link.
    case starting
    case countdown
    /// Live, its first ball still to come.
    case live
    /// A ball has left, and it has not yet said what became of that.
    case midWrite = "in the middle of a write"
    case betweenBalls = "between two balls"
    /// It was asked to end.
    case stopping
    /// It had ended before the kill.
    case ended = "already ended"
  }

  var phase: Phase {
    let states = told.named("safety").map(\.state)
    return
      if !wasKilled
    { .ended } else if plan.cue == .end { .stopping } else if balls.count > toldBalls.count {
      .midWrite
    } else if !balls.isEmpty { .betweenBalls } else if states.contains("live") {
      .live
    } else if states.contains("countdown") { .countdown } else { .starting }
  }
}
