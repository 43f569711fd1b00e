/// What the logic decided: where the player was, and the command for that place.
package struct DecisionRecord: Codable, Hashable, Sendable {
  /// When it was decided, in seconds on the service's clock.
  package var t: Double
  /// The player's mean place, in metres from the left sideline.
  package var x: Double
  /// The player's mean place, in metres from the net.
  package var y: Double
  /// How many positions the average is of.
  package var samples: Int
  /// Where the player is: row and column, such as `1-1`; nil out of court.
  @OrNull package var zone: String?
  /// The zone that a drill aims at; nil without one: the player's own.
  package var target: String?
  /// The command, as people and programs write it.
  package var command: String

  package init(
    t: Double,
    x: Double,
    y: Double,
    samples: Int,
    zone: String?,
    target: String? = nil,
    command: String
  ) {
    self.t = t
    self.x = x
    self.y = y
    self.samples = samples
    self.zone = zone
    self.target = target
    self.command = command
  }

  /// The zone that the ball is for; nil: out of court.
  package var destination: String? { target ?? zone }
}

/// A decision's command and its outcome.
package struct DispatchRecord: Hashable, Sendable {
  /// Counts the dispatches, from 1.
  package var number: Int
  package var decision: DecisionRecord
  /// How long the machine turns for it, in seconds, where that is longer than the interval: the next
  /// ball waits.
  package var slew: Seconds?
  /// Nil while the command is on its way.
  package var outcome: OutcomeRecord?
  /// From the decision to the outcome, in seconds.
  package var latency: Seconds?
  /// In the status alone, once a framed machine has given its answer: one of `completed`, `accepted`,
  /// `refused` and `none`.
  package var answer: String?

  package init(number: Int, decision: DecisionRecord) {
    self.number = number
    self.decision = decision
  }
}

/// A decision that was held.
package struct HeldRecord: Hashable, Sendable {
  package var decision: DecisionRecord
  /// What kept it back.
  package var holds: [SafetyRecord.Hold]

  package init(decision: DecisionRecord, holds: [SafetyRecord.Hold]) {
    self.decision = decision
    self.holds = holds
  }
}

/// A command by hand and its outcome.
package struct ManualRecord: Hashable, Sendable {
  /// Counts the commands by hand, from 1.
  package var number: Int
  /// The command, as people and programs write it.
  package var command: String
  package var outcome: OutcomeRecord
  /// From the request to the outcome, in seconds.
  package var latency: Seconds
  /// In an answer and the status alone, what a framed machine said of it: one of `completed`, `accepted`,
  /// `refused` and `none`.
  package var answer: String?

  package init(number: Int, command: String, outcome: OutcomeRecord, latency: Double) {
    self.number = number
    self.command = command
    self.outcome = outcome
    self.latency = latency
  }
}

/// The machine's answer to a command, after its outcome.
package struct AnswerRecord: Codable, Hashable, Sendable {
  /// The number of the record that it answers.
  package var number: Int
  /// That record's event: one of `dispatch` and `manual`.
  package var to: String
  /// One of `completed`, `accepted`, `refused` and `none` (it said nothing in 2 s).
  package var answer: String
  /// From the decision or the request to the answer, in seconds.
  package var latency: Seconds

  package init(number: Int, to: String, answer: String, latency: Double) {
    self.number = number
    self.to = to
    self.answer = answer
    self.latency = latency
  }
}

/// A command by hand, its outcome and its time.
package struct TimedManualRecord: Hashable, Sendable {
  /// When it was asked for, in seconds on the service's clock.
  package var t: Double
  package var manual: ManualRecord

  package init(t: Double, manual: ManualRecord) {
    self.t = t
    self.manual = manual
  }
}

/// The outcome of a write.
package struct OutcomeRecord: Codable, Hashable, Sendable {
  /// One of `delivered`, `queued`, `notSent` and `unknown`.
  package var outcome: String
  /// Why, in words; nil where the outcome says it all.
  package var reason: String?
  /// What to do about it, in words.
  package var remedy: String?

  package init(outcome: String, reason: String?, remedy: String? = nil) {
    self.outcome = outcome
    self.reason = reason
    self.remedy = remedy
  }
}

// A record's members stand beside those of its parts, in one object.

extension DispatchRecord: Codable {
  private enum Key: CodingKey {
    case number, slew, outcome, latency, answer
  }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    number = try object.decode(Int.self, forKey: .number)
    decision = try DecisionRecord(from: decoder)
    slew = try object.decodeIfPresent(Double.self, forKey: .slew)
    outcome = object.contains(.outcome) ? try OutcomeRecord(from: decoder) : nil
    latency = try object.decodeIfPresent(Double.self, forKey: .latency)
    answer = try object.decodeIfPresent(String.self, forKey: .answer)
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(number, forKey: .number)
    try decision.encode(to: encoder)
    try object.encodeIfPresent(slew, forKey: .slew)
    try outcome?.encode(to: encoder)
    try object.encodeIfPresent(latency, forKey: .latency)
    try object.encodeIfPresent(answer, forKey: .answer)
  }
}

extension HeldRecord: Codable {
  private enum Key: CodingKey {
    case holds
  }

  package init(from decoder: any Decoder) throws {
    decision = try DecisionRecord(from: decoder)
    holds = try decoder.container(keyedBy: Key.self).decode(
      [SafetyRecord.Hold].self,
      forKey: .holds
    )
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(holds, forKey: .holds)
    try decision.encode(to: encoder)
  }
}

extension TimedManualRecord: Codable {
  private enum Key: CodingKey {
    case t
  }

  package init(from decoder: any Decoder) throws {
    t = try decoder.container(keyedBy: Key.self).decode(Double.self, forKey: .t)
    manual = try ManualRecord(from: decoder)
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(t, forKey: .t)
    try manual.encode(to: encoder)
  }
}

extension ManualRecord: Codable {
  private enum Key: CodingKey {
    case number, command, latency, answer
  }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    number = try object.decode(Int.self, forKey: .number)
    command = try object.decode(String.self, forKey: .command)
    outcome = try OutcomeRecord(from: decoder)
    latency = try object.decode(Double.self, forKey: .latency)
    answer = try object.decodeIfPresent(String.self, forKey: .answer)
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(number, forKey: .number)
    try object.encode(command, forKey: .command)
    try outcome.encode(to: encoder)
    try object.encode(latency, forKey: .latency)
    try object.encodeIfPresent(answer, forKey: .answer)
  }
}
