/// What a run has counted.
package struct CountsRecord: Codable, Hashable, Sendable {
  /// What became of the commands.
  package struct Outcomes: Codable, Hashable, Sendable {
    package var delivered = 0
    package var queued = 0
    package var notSent = 0
    package var unknown = 0

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
    package var p50: Double?
    package var p90: Double?
    package var p99: Double?
    package var max: Double?

    package init() {}
  }

  /// How often the machine answered a command in this way.
  package struct Answers: Codable, Hashable, Sendable {
    package var completed = 0
    package var accepted = 0
    package var refused = 0
    package var none = 0

    package init() {}
  }

  /// Positions that could be used.
  package var positions = 0
  /// Lines that could not be used.
  package var badLines = 0
  /// Positions of sources other than the player.
  package var otherPositions = 0
  /// Positions and bad lines that came faster than they could be taken.
  package var droppedPositions = 0
  /// New feeders that were refused, because too many were connected; nil when none was.
  package var refusedFeeders: Int?
  package var dispatches = 0
  /// Dispatches by the zone that they were for; those for a player out of court are apart.
  package var byZone: [String: Int] = [:]
  package var outOfCourt = 0
  package var outcomes = Outcomes()
  /// The outcomes of the commands sent by hand, which ``outcomes`` leaves out.
  package var manualOutcomes = Outcomes()
  /// The machine's answers to all commands; nil if it has none.
  package var answers: Answers?
  package var latencies = Latencies()

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

/// A run's last record.
package struct SummaryRecord: Hashable, Sendable {
  package var seconds: Double
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
