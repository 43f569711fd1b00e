package import ControlProtocol
package import Host
package import JSON

// What a court says, but for the links and drills, which are the service's own records.

/// The topic ``CourtTopic/availability``, as text.
package enum CourtAvailability: String, Hashable, Sendable {
  case online, offline

  package var payload: [UInt8] { Array(rawValue.utf8) }

  /// - Returns: nil for one that can't be read.
  package init?(payload: [UInt8]) { self.init(rawValue: String(decoding: payload, as: UTF8.self)) }
}

/// The topic ``CourtTopic/state``: a ``SafetyRecord``'s members, and these beside them. The broker keeps it, where
/// figures that change without it would age: ``CourtBallsRecord/session`` has the balls, and what remains of a
/// countdown is left out.
package struct CourtStateRecord: Encodable, Hashable, Sendable {
  /// The state of safety, and of the link, while no service is there to say it.
  package static let noService = "noService"

  /// Every value of ``state``.
  package static let states =
    SafetyRecord.states.filter { $0 != latched }
    + SafetyRecord.Stop.Meaning.allCases.map(\.rawValue)
    + [noService]

  /// The state of safety that a stop latches, whatever has become of the stop command.
  private static let latched = "stopped"

  /// The court's state in one word. Each outcome of a stop has a word of its own, because an automation
  /// may read nothing else: `stopped` says that the machine has the stop command.
  ///
  /// - Parameters:
  ///   - safety: as ``SafetyRecord/state``, or one of ``states``.
  ///   - stop: what came of the stop command.
  package static func state(_ safety: String, _ stop: SafetyRecord.Stop?) -> String {
    guard safety == latched else { return safety }
    return SafetyRecord.Stop.Meaning(outcome: stop?.outcome).rawValue
  }

  /// The state of safety, whose `state` is one of ``states``.
  package var safety: SafetyRecord
  /// `SIM` or `REAL`; nil while it is not known.
  package var mode: String?
  /// When the state began, to the second; nil if it began unseen.
  package var since: WallTime?

  private enum Key: CodingKey {
    case state, code, reason, holds, stop, mode, since
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(safety.state, forKey: .state)
    try object.encodeIfPresent(safety.code, forKey: .code)
    try object.encodeIfPresent(safety.reason, forKey: .reason)
    try object.encode(safety.holds, forKey: .holds)
    try object.encodeIfPresent(safety.stop, forKey: .stop)
    try object.encodeIfPresent(mode, forKey: .mode)
    try object.encodeIfPresent(since, forKey: .since)
  }
}

/// The topic ``CourtTopic/balls``.
package struct CourtBallsRecord: Codable, Hashable, Sendable {
  /// A ball whose command has its outcome.
  package struct Last: Codable, Hashable, Sendable {
    /// Whether it was a ball by hand.
    package var byHand: Bool
    /// The zone that it was for, where the player is published; nil: not, or the player was out of court.
    package var zone: String?
    /// What became of the command: `delivered`, `queued`, `notSent` or `unknown`.
    package var outcome: String
    /// When it was decided or asked for; to the second.
    package var time: WallTime
  }

  /// Automatic balls since it was armed.
  package var session: Int
  /// Since the service began.
  package var total: Int
  /// Balls by hand since the service began, which the others leave out.
  package var byHand: Int
  package var outcomes: CountsRecord.Outcomes
  package var last: Last?
}

/// The topic ``CourtTopic/player``.
package struct CourtPlayerRecord: Codable, Hashable, Sendable {
  /// Whether a player is seen.
  package var present: Bool
  /// The player's place in metres, to 0.1 m: ``x`` from the left sideline, ``y`` from the net; nil:
  /// not seen.
  package var x: Double?
  package var y: Double?
  /// Row and column, such as `1-1`; nil: not seen, or out of court.
  package var zone: String?

  init(_ player: StatusRecord.Player?) {
    present = player != nil
    x = player?.x.rounded(places: 1)
    y = player?.y.rounded(places: 1)
    zone = player?.zone
  }
}

/// The doctor's problems: the topic ``CourtTopic/problem``.
package struct CourtProblemsRecord: Codable, Hashable, Sendable {
  /// A finding to mend.
  package struct Problem: Codable, Hashable, Sendable {
    /// The finding's stable word for programs.
    package var code: String
    /// What is wrong, for people.
    package var text: String
    /// What to do about it.
    package var remedy: String?
  }

  /// What the doctor found to mend.
  package var problems: [Problem]

  /// - Parameter lines: what `ballmachine doctor --json` prints. What it finds of the broker is left
  ///   out: a reader sees that the broker is there.
  package init(doctor lines: [JSONValue]) {
    problems = lines.compactMap { line in
      guard line["event"]?.string == "finding", line["verdict"]?.string == "problem",
        line["check"]?.string != "mqtt"
      else { return nil }
      return try? line.decoded(as: Problem.self)
    }
  }
}

/// Versions, and the court's name: the topic ``CourtTopic/version``.
package struct CourtVersionRecord: Codable, Hashable, Sendable {
  /// The version of the program that publishes.
  package var version: String
  /// The service's version; nil while there is none.
  package var service: String?
  /// What people call the court; nil: as the topics do.
  package var name: String?
}

/// Which box publishes this court: the topic ``CourtTopic/box``.
package struct CourtBoxRecord: Codable, Hashable, Sendable {
  /// The owner's ID: 32 hexadecimal digits.
  package var box: String

  package init(box: String) { self.box = box }

  /// - Returns: nil for one that can't be read.
  package init?(payload: [UInt8]) {
    guard let record = try? JSONValue(text: payload).decoded(as: Self.self) else { return nil }
    self = record
  }
}

/// The topic ``CourtTopic/outcome``.
package struct CourtStopRecord: Codable, Hashable, Sendable {
  /// What is known of the stop, as ``StopRecord/outcome`` says it.
  package var outcome: String
  package var reason: String?
  /// When the outcome was known; to the second.
  package var time: WallTime
  /// The payloads of the stops that it answers, the newest first, as far as they are texts; nil: its court
  /// says nothing of them.
  package var stops: [String]?

  package init(_ answer: StopRecord, to stops: [String], time: WallTime) {
    outcome = answer.outcome
    reason = answer.reason
    self.stops = stops
    self.time = time
  }
}
