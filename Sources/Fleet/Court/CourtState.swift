package import ControlProtocol
package import Host
package import JSON

/// What a court says, from the service's news. Each change returns the payloads that are new.
///
/// It asks nothing: its owner takes the service's status when the service is there, after each
/// `dispatch` and `manual` event, and once a second while the player is published.
package struct CourtState: Sendable {
  package typealias Message = (topic: CourtTopic, payload: [UInt8])

  private let settings: FleetSettings
  private let version: String

  private var state: CourtStateRecord?
  private var mode: String?
  private var serviceBegan: WallTime?
  /// The strength of the link's signal that was told last, in dBm.
  private var rssi: Int?
  private var balls: CourtBallsRecord?
  /// The last ball, with its time on the service's clock.
  private var lastBall: (t: Double, record: CourtBallsRecord.Last)?
  /// When the player was published last, in seconds on the service's clock.
  private var playerTime: Double?
  private var newest: [CourtTopic: [UInt8]] = [:]

  /// - Parameter version: of this program.
  package init(_ settings: FleetSettings, version: String) {
    self.settings = settings
    self.version = version
    _ = change(.version, versions())
    // One that was published before it was switched off.
    if !settings.session { newest[.session] = [] }
  }

  /// For a new connection: the newest payload of each topic that the broker keeps. An empty one
  /// removes what it has.
  package var all: [Message] {
    CourtTopic.allCases.filter(\.isRetained).compactMap { topic in
      newest[topic].map { (topic, $0) }
    }
  }

  // MARK: News

  /// - Parameter event: an ``EventRecord``'s object. What a later version adds is ignored.
  package mutating func receive(event: JSONValue) -> [Message] {
    guard let record = try? event.decoded(as: EventRecord.self) else { return [] }
    switch record.event {
    case .safety(let safety): return receive(safety, time: record.time)
    case .link(let link): return receive(link)
    case .training(let training): return receive(training)
    default: return []
    }
  }

  /// - Parameter time: now.
  package mutating func receive(status: StatusRecord, time: WallTime) -> [Message] {
    // The status's safety, link and training may be newer than events that are still to come: these
    // count.
    serviceBegan = serviceBegan ?? time.advanced(by: .seconds(-status.uptime))
    for ball in status.lastBalls where ball.t > lastBall?.t ?? -.infinity {
      let last = CourtBallsRecord.Last(
        byHand: ball.isByHand,
        // Without a drill, that is about where the player is.
        zone: settings.player ? ball.zone : nil,
        outcome: ball.outcome,
        time: time.advanced(by: .seconds(ball.t - status.t))
      )
      lastBall = (ball.t, last)
    }
    let manual = status.counts.manualOutcomes
    balls = CourtBallsRecord(
      session: status.safety.balls,
      total: status.counts.dispatches,
      byHand: manual.delivered + manual.queued + manual.unknown,
      outcomes: status.counts.outcomes,
      last: lastBall?.record
    )
    return [
      changeState(), change(.balls, balls), receive(status.player, t: status.t),
      change(.version, versions(of: status.version)),
    ].compactMap(\.self)
  }

  /// No service is there.
  ///
  /// - Parameters:
  ///   - reason: why, for people.
  ///   - time: now.
  package mutating func leave(_ reason: String, time: WallTime) -> [Message] {
    let wasAway = state?.safety.state == CourtStateRecord.noService
    var safety = SafetyRecord(state: CourtStateRecord.noService)
    safety.reason = reason
    state = CourtStateRecord(safety: safety, since: wasAway ? state?.since : time)
    (mode, serviceBegan, lastBall, playerTime, rssi) = (nil, nil, nil, nil, nil)
    return [
      changeState(), change(.link, LinkRecord(state: CourtStateRecord.noService)),
      change(.drill, [String: JSONValue]()), receive(nil, t: 0),
      change(.version, versions()),
    ].compactMap(\.self)
  }

  package mutating func receive(problems: CourtProblemsRecord) -> [Message] {
    [change(.problem, problems)].compactMap(\.self)
  }

  /// - Parameter summary: the record `trainingSession` of a session that ended.
  package mutating func receive(session summary: JSONValue) -> [Message] {
    guard settings.session, !Self.goesOn(summary), case .object(let members) = summary else {
      return []
    }
    let open = members.filter { Self.openMembers.contains($0.key) }
    return [change(.session, Self.noughts.merging(open) { $1 })].compactMap(\.self)
  }

  /// - Returns: the name of the session before one that goes on; nil for one that has ended, and
  ///   for the first one of its service.
  package static func session(before summary: JSONValue) -> String? {
    guard goesOn(summary), let run = summary["session"]?.integer,
      let arming = summary["arming"]?.integer, arming > 1
    else { return nil }
    return "\(run).\(arming - 1)"
  }

  private static func goesOn(_ summary: JSONValue) -> Bool {
    summary["ending"]?["code"]?.string == "logEnds"
  }

  /// The members of a session's summary that are published. For whom it was and where the player
  /// was stay out: `label`, `before`, `targets`, `stood`, and what a later version adds.
  private static let openMembers: Set = [
    "session", "arming", "time", "seconds", "live", "rested", "mode", "aim", "drill", "level",
    "seed", "interval", "progress", "balls", "outOfCourt", "outcomes", "manualOutcomes", "answers",
    "heldBy", "pauses", "ending", "seen", "distance", "meanSpeed", "greatestSpeed", "firstStep",
    "firstSteps", "lacks", "unread",
  ]

  /// The figures that a summary leaves out where they are 0.
  private static let noughts: [String: JSONValue] = [
    "rested": .integer(0), "heldBy": .array([]), "pauses": .array([]), "unread": .integer(0),
    "manualOutcomes": .object([
      "delivered": .integer(0), "queued": .integer(0), "notSent": .integer(0),
      "unknown": .integer(0),
    ]),
  ]

  // MARK: Parts

  private mutating func receive(_ safety: SafetyRecord, time: WallTime) -> [Message] {
    // The first one is the present state: it began unseen.
    var safety = safety
    safety.state = CourtStateRecord.state(safety.state, safety.stop)
    let known = state?.safety.state == CourtStateRecord.noService ? nil : state
    let began = known.flatMap { $0.safety.state == safety.state ? $0.since : time }
    state = CourtStateRecord(safety: safety, mode: mode, since: began)
    balls?.session = safety.balls
    return [changeState(), change(.balls, balls)].compactMap(\.self)
  }

  private mutating func receive(_ link: LinkRecord) -> [Message] {
    var link = link
    (link.nextAttempt, link.rssiAge) = (nil, nil)
    // Whatever number it is: Double has no overflow.
    if let new = link.rssi, let rssi, abs(Double(new) - Double(rssi)) < Self.leastChange {
      link.rssi = rssi
    }
    rssi = link.rssi
    mode = link.mode
    if state?.safety.state != CourtStateRecord.noService { state?.mode = mode }
    return [changeState(), change(.link, link)].compactMap(\.self)
  }

  /// A change of the signal's strength that is less is noise, in dB.
  private static let leastChange = 5.0

  private mutating func receive(_ training: TrainingRecord) -> [Message] {
    var training = training
    training.label = nil
    return [change(.drill, training)].compactMap(\.self)
  }

  private mutating func receive(_ player: StatusRecord.Player?, t: Double) -> Message? {
    guard settings.player else { return nil }
    if let playerTime, 0..<1 ~= t - playerTime { return nil }
    let message = change(.player, CourtPlayerRecord(player))
    if message != nil { playerTime = t }
    return message
  }

  private func versions(of service: String? = nil) -> CourtVersionRecord {
    CourtVersionRecord(version: version, service: service, name: settings.name)
  }

  private mutating func changeState() -> Message? {
    if state?.since == nil, state?.safety.code == "atStart" { state?.since = serviceBegan }
    return change(.state, state)
  }

  /// - Returns: nil if this is what the topic had.
  private mutating func change(_ topic: CourtTopic, _ record: (some Encodable)?) -> Message? {
    guard let record, let payload = CourtPayload.bytes(of: record), newest[topic] != payload else {
      return nil
    }
    newest[topic] = payload
    return (topic, payload)
  }
}

extension StatusRecord {
  fileprivate typealias Ball = (t: Double, zone: String?, outcome: String, isByHand: Bool)

  /// The last ball of the automatic mode and the last one by hand, whose commands have outcomes.
  fileprivate var lastBalls: [Ball] {
    let automatic: Ball? = lastDispatch.flatMap { ball in
      ball.outcome.map {
        (t: ball.decision.t, zone: ball.decision.destination, outcome: $0.outcome, isByHand: false)
      }
    }
    let byHand: Ball? = lastManual.map {
      (t: $0.t, zone: nil, outcome: $0.manual.outcome.outcome, isByHand: true)
    }
    return [automatic, byHand].compactMap(\.self)
  }
}
