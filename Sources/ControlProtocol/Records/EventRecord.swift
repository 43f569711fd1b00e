package import Host

/// One thing that happened in the service: `serve --json`, the subscribers of the control socket and
/// the session log get it in this form.
///
/// An object with `event`, what happened; `t`, when, in seconds on the service's clock; `time`, the
/// same on the wall clock; and the members of that event's own record.
package struct EventRecord: Hashable, Sendable {
  package enum Event: Hashable, Sendable {
    case link(LinkRecord)
    case safety(SafetyRecord)
    case training(TrainingRecord)
    case dispatch(DispatchRecord)
    case held(HeldRecord)
    case manual(ManualRecord)
    case answer(AnswerRecord)
    case stop(StopRecord)
    case feed(FeedRecord)
    case position(PositionRecord)
    /// So many events are missing here: the reader was too slow.
    case dropped(Int)
    /// An event of a later version of the program.
    case other(String)
  }

  package var event: Event
  package var t: Double
  /// To the millisecond.
  package var time: WallTime

  package init(_ event: Event, t: Double, time: WallTime) {
    self.event = event
    self.t = t
    self.time = time
  }

  /// The value of `event`.
  package var name: String {
    switch event {
    case .link: "link"
    case .safety: "safety"
    case .training: "training"
    case .dispatch: "dispatch"
    case .held: "held"
    case .manual: "manual"
    case .answer: "answer"
    case .stop: "stop"
    case .feed: "feed"
    case .position: "position"
    case .dropped: "dropped"
    case .other(let name): name
    }
  }

  package var kind: EventKind { EventKind(event: name) }
}

extension EventRecord: Codable {
  private enum Key: CodingKey {
    case event, t, time, count
  }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    t = try object.decode(Double.self, forKey: .t)
    time = try object.decode(WallTime.self, forKey: .time)
    let name = try object.decode(String.self, forKey: .event)
    event =
      switch name {
      case "link": .link(try LinkRecord(from: decoder))
      case "safety": .safety(try SafetyRecord(from: decoder))
      case "training": .training(try TrainingRecord(from: decoder))
      case "dispatch": .dispatch(try DispatchRecord(from: decoder))
      case "held": .held(try HeldRecord(from: decoder))
      case "manual": .manual(try ManualRecord(from: decoder))
      case "answer": .answer(try AnswerRecord(from: decoder))
      case "stop": .stop(try StopRecord(from: decoder))
      case "feed": .feed(try FeedRecord(from: decoder))
      case "position": .position(try PositionRecord(from: decoder))
      case "dropped": .dropped(try object.decode(Int.self, forKey: .count))
      default: .other(name)
      }
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(name, forKey: .event)
    try object.encode(t, forKey: .t)
    try object.encode(time.preciseISO8601, forKey: .time)
    switch event {
    case .link(let record): try record.encode(to: encoder)
    case .safety(let record): try record.encode(to: encoder)
    case .training(let record): try record.encode(to: encoder)
    case .dispatch(let record): try record.encode(to: encoder)
    case .held(let record): try record.encode(to: encoder)
    case .manual(let record): try record.encode(to: encoder)
    case .answer(let record): try record.encode(to: encoder)
    case .stop(let record): try record.encode(to: encoder)
    case .feed(let record): try record.encode(to: encoder)
    case .position(let record): try record.encode(to: encoder)
    case .dropped(let count): try object.encode(count, forKey: .count)
    case .other: break
    }
  }
}
