package import Host

/// One thing that happened in the service: `serve --json`, the subscribers of the control socket and
/// the run log get it in this form.
///
/// An object with `event`, what happened; `t`, when, in seconds on the service's clock; `time`, the
/// same on the wall clock; and the members of that event's own record.
package struct EventRecord: Hashable, Sendable {
  package enum Event: Hashable, Sendable {
    /// The link to the machine has changed.
    case link(LinkRecord)
    /// Whether balls may fly has changed.
    case safety(SafetyRecord)
    /// What is trained, or how far it is, has changed.
    case training(TrainingRecord)
    /// A command was decided and sent.
    case dispatch(DispatchRecord)
    /// A command was decided and kept back.
    case held(HeldRecord)
    /// A command was sent by hand. What `ballmachine send` prints also has `mode`, `machine`, `profile` and
    /// `characteristic`, and `through` if the service has sent it.
    case manual(ManualRecord)
    /// The machine's own answer to a command, after its outcome.
    case answer(AnswerRecord)
    /// The stop command was written, or a stop is answered. Without `t` and `time` from a service of an
    /// older version.
    case stop(StopRecord)
    /// A feeder came, went, or sent something that can't be used.
    case feed(FeedRecord)
    /// A position. Subscribers get the player's if they ask for it; session logs have all, without `time`.
    case position(PositionRecord)
    /// So many events are missing here, the `count`: the reader was too slow. Balls, safety, the link and
    /// the feeders are counted together, but none makes room for another kind, and the newest of safety and
    /// of the link are always kept.
    case dropped(Int)
    /// An event of a later version of the program.
    case other(String)
  }

  package var event: Event
  package var t: Double
  /// The wall clock's time, to the millisecond.
  package var time: WallTime

  package init(_ event: Event, t: Double, time: WallTime) {
    self.event = event
    self.t = t
    self.time = time
  }

  /// The value of `event`.
  package var name: String { parts.name }

  private var parts: (name: String, record: any Encodable) {
    switch event {
    case .link(let record): ("link", record)
    case .safety(let record): ("safety", record)
    case .training(let record): ("training", record)
    case .dispatch(let record): ("dispatch", record)
    case .held(let record): ("held", record)
    case .manual(let record): ("manual", record)
    case .answer(let record): ("answer", record)
    case .stop(let record): ("stop", record)
    case .feed(let record): ("feed", record)
    case .position(let record): ("position", record)
    case .dropped(let count): ("dropped", ["count": count])
    case .other(let name): (name, [String: Int]())
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
    let (name, record) = parts
    try object.encode(name, forKey: .event)
    try object.encode(t, forKey: .t)
    try object.encode(time.preciseISO8601, forKey: .time)
    try record.encode(to: encoder)
  }
}
