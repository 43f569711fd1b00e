package import ControlProtocol
package import CourtLogic
package import Host

/// What a session was, from arming to disarming or stop, as far as its log says. What isn't
/// known is nil, never zero.
package struct Session: Hashable, Sendable {
  /// What kept balls back for a while.
  package struct Interruption: Hashable, Sendable {
    /// The code that safety gave.
    package var code: String
    /// The reason in words, without the figures that change from time to time.
    package var reason: String
    /// How often that was.
    package var count = 0
    /// How long that was in all.
    package var seconds = 0.0
  }

  /// What ended it.
  package struct Ending: Hashable, Encodable, Sendable {
    /// The code of `disarmed`, `stopped`, or `logEnds` where the log ends before it.
    package var code: String
    /// The same in words.
    package var reason: String

    /// The service was killed, or the session goes on still.
    static let ofLog = Ending(
      code: "logEnds",
      reason: "the log ends here: the session goes on still, or the service was killed"
    )
  }

  /// How far a drill came.
  package struct Progress: Hashable, Encodable, Sendable {
    /// The last set, from 1.
    package var set: Int
    /// How many sets the drill has.
    package var sets: Int
    /// How many balls of the last set had left.
    package var ball: Int
    /// How many balls a set has.
    package var ballsPerSet: Int

    package var text: String { "set \(set) of \(sets), ball \(ball) of \(ballsPerSet)" }
  }

  /// What the log has no longer, or never had.
  package enum Lack: String, Hashable, Sendable, CaseIterable {
    /// The session began before the log's first part.
    case beginning
    /// Positions were removed to make room for newer logs, or lost.
    case positions
    /// Other lines are lost.
    case lines
  }

  package var name: SessionName
  /// The beginning, in seconds on the service's clock.
  package var t: Double
  package var begin: WallTime
  /// From beginning to end.
  package var seconds = 0.0
  /// How long balls could fly.
  package var live = 0.0
  /// How long the rests between sets were, in seconds.
  package var rested = 0.0
  /// `SIM` or `REAL`; nil: the machine was never seen.
  package var mode: String?
  /// The court with its zones, as they were at the beginning.
  package var court = Court()

  package var aim: String?
  package var drill: String?
  package var level: String?
  package var label: String?
  package var seed: Int?
  package var interval: Double?
  package var progress: Progress?

  /// Automatic balls that left, or may have.
  package var balls = 0
  /// How many of ``balls`` were for each zone, by ``Zone/id``.
  package var targets = [Int](repeating: 0, count: Zone.allCases.count)
  /// How many of ``balls`` were for a player out of court.
  package var outOfCourt = 0
  package var outcomes = CountsRecord.Outcomes()
  package var manualOutcomes = CountsRecord.Outcomes()
  /// Nil: the machine gives none.
  package var answers: CountsRecord.Answers?
  /// While live.
  package var holds: [Interruption] = []
  package var pauses: [Interruption] = []
  package var ending = Ending.ofLog

  /// Nil: the player was not seen while live, or this was not read.
  package var movement: Movement?

  package var lacks: Set<Lack> = []
  /// Lines that can't be read.
  package var unread = 0
}

extension Session {
  /// Whether the two may be compared: the same drill and level for the same player, and neither of
  /// them simulated beside a real one.
  package func isLike(_ other: Session) -> Bool {
    mode == other.mode && drill == other.drill && level == other.level && label == other.label
      && (drill != nil || aim == other.aim)
  }

  package var manualCommands: Int {
    manualOutcomes.delivered + manualOutcomes.queued + manualOutcomes.notSent
      + manualOutcomes.unknown
  }

  /// The drill, or the aim, and the level; nil where the log names neither.
  package var trainingText: String? {
    guard let name = drill ?? aim else { return level }
    return name + (level.map { " (\($0))" } ?? "")
  }

  /// What the figures lack, in words.
  package var notes: [String] {
    let words: [Lack: String] = [
      .beginning: "the log of its beginning is gone",
      .positions: "positions are missing: they were lost, or made room for newer logs",
      .lines: "lines are lost",
    ]
    let lacking = Lack.allCases.filter(lacks.contains).compactMap { words[$0] }
    return lacking + (unread > 0 ? ["\(counted(unread, "line")) can't be read"] : [])
  }
}

extension CountsRecord.Outcomes {
  /// The outcomes without those that there were none of: `66 delivered, 1 unknown`.
  package var shortText: String {
    [
      (delivered, "delivered"), (queued, "queued"), (notSent, "not sent"), (unknown, "unknown"),
    ].filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
  }
}
