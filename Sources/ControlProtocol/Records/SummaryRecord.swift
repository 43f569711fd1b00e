/// What a run has counted.
package struct CountsRecord: Codable, Hashable, Sendable {
  /// What became of the commands.
  package struct Outcomes: Codable, Hashable, Sendable {
    /// The machine's radio has acknowledged them.
    package var delivered: Total = 0
    /// BlueZ has them, and nothing acknowledges them.
    package var queued: Total = 0
    /// They were not sent, and never will be.
    package var notSent: Total = 0
    /// They may have been sent; they are never repeated.
    package var unknown: Total = 0

    package init() {}

    /// - Parameter word: as ``OutcomeRecord/outcome``; nil: what became of it is not known.
    package mutating func add(_ word: String?) {
      switch word {
      case "delivered": delivered += 1
      case "queued": queued += 1
      case "notSent": notSent += 1
      default: unknown += 1
      }
    }
  }

  /// From a decision to its outcome, in seconds, of commands that reached the machine; all nil when
  /// none did.
  package struct Latencies: Codable, Hashable, Sendable {
    /// The median.
    package var p50: Seconds?
    /// One in ten took longer.
    package var p90: Seconds?
    /// One in a hundred took longer.
    package var p99: Seconds?
    /// The longest.
    package var max: Seconds?

    package init() {}
  }

  /// How often the machine answered a command in this way.
  package struct Answers: Codable, Hashable, Sendable {
    /// Commands that it has said to be done.
    package var completed: Total = 0
    /// Commands that it has begun, and not said to be done.
    package var accepted: Total = 0
    /// Commands that it has refused.
    package var refused: Total = 0
    /// Commands of which it has said nothing in 2 s, or before the next one.
    package var none: Total = 0

    package init() {}
  }

  /// Positions that could be used.
  package var positions: Total = 0
  /// Lines that could not be used.
  package var badLines: Total = 0
  /// Positions of sources other than the player.
  package var otherPositions: Total = 0
  /// Positions and bad lines that came faster than they could be taken.
  package var droppedPositions: Total = 0
  /// New feeders that were refused, because too many were connected; nil when none was.
  package var refusedFeeders: Count?
  /// Decisions that became a command.
  package var dispatches: Total = 0
  /// Dispatches by the zone that they were for; those for a player out of court are apart.
  package var byZone: [String: Int] = [:]
  /// Dispatches for a player out of court.
  package var outOfCourt: Total = 0
  /// What became of the dispatches.
  package var outcomes: Outcomes = Outcomes()
  /// The outcomes of the commands sent by hand, which ``outcomes`` leaves out.
  package var manualOutcomes: Outcomes = Outcomes()
  /// The machine's answers to all commands; nil if it has none.
  package var answers: Answers?
  /// From a decision to its outcome, in seconds, of commands that reached the machine.
  package var latencies: Latencies = Latencies()

  package init() {}
}

extension CountsRecord.Answers? {
  /// - Parameter word: as ``AnswerRecord/answer``.
  /// - Returns: false for another word, which counts as nothing.
  @discardableResult package mutating func add(_ word: String) -> Bool {
    var answers = self ?? CountsRecord.Answers()
    switch word {
    case "completed": answers.completed += 1
    case "accepted": answers.accepted += 1
    case "refused": answers.refused += 1
    case "none": answers.none += 1
    default: return false
    }
    self = answers
    return true
  }
}

/// The end of `serve`, `simulate` and `replay`.
package struct SummaryRecord: Hashable, Sendable {
  /// How long it ran.
  package var seconds: Seconds
  /// `SIM` or `REAL`; nil when the machine was never seen.
  package var mode: String?
  package var counts: CountsRecord
  /// The last stop command; nil when there was nothing to stop.
  package var stop: SafetyRecord.Stop?
  /// What the mock machine received, in order; nil without one.
  package var machineReceived: [String]?

  package init(seconds: Double, counts: CountsRecord) {
    self.seconds = seconds
    self.counts = counts
  }
}

extension SummaryRecord: Encodable {
  private enum Key: CodingKey {
    case event, seconds, mode, stop, machineReceived
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("summary", forKey: .event)
    try object.encode(seconds, forKey: .seconds)
    try object.encodeIfPresent(mode, forKey: .mode)
    try counts.encode(to: encoder)
    try object.encodeIfPresent(stop, forKey: .stop)
    try object.encodeIfPresent(machineReceived, forKey: .machineReceived)
  }
}
