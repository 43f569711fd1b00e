package import ControlProtocol
package import Host
import JSON

/// What a court has said of itself, as the office's table shows it.
///
/// It is read member by member: a box of another version says more or less. All texts are bounded.
package struct CourtRow: Hashable, Sendable {
  package struct State: Encodable, Hashable, Sendable {
    /// One of ``CourtStateRecord/states``, or a later version's word.
    package var state: String
    package var code: String?
    package var reason: String?
    /// `SIM` or `REAL`.
    package var mode: String?
    package var since: WallTime?
    /// Why no ball comes, for people.
    package var holds: [String]?
    /// While a stop is latched.
    package var stop: SafetyRecord.Stop?
  }

  package struct Link: Encodable, Hashable, Sendable {
    package var state: String
    package var reason: String?
    package var remedy: String?
    package var since: WallTime?
  }

  package struct Balls: Encodable, Hashable, Sendable {
    /// Since it was armed.
    package var session: Int?
    package var total: Int?
    package var byHand: Int?
  }

  package struct Drill: Encodable, Hashable, Sendable {
    package var aim: String?
    package var drill: String?
    package var level: String?
    package var set: Int?
    package var sets: Int?
    package var ball: Int?
    package var ballsPerSet: Int?
  }

  package struct Problem: Encodable, Hashable, Sendable {
    package var code: String?
    package var text: String?
    package var remedy: String?
  }

  /// The court's name in the topics.
  package let court: String
  /// Sorts rows.
  let order: String
  /// The court's name for people, without blanks at its ends.
  package private(set) var name: String?
  /// Why people can take that name for another, as ``CourtName/doubt(of:)`` says it.
  package private(set) var nameDoubt: String?
  /// As ``CourtName/look(of:)`` has it.
  private(set) var look: String
  /// Another court whose name looks the same.
  package var namesake: String?
  /// Nil: it has not said.
  package private(set) var isOnline: Bool?
  /// When it was seen to go; nil: before we looked.
  package private(set) var offlineSince: WallTime?
  package private(set) var state: State?
  /// When the state was first heard of, by this computer's clock.
  private(set) var stateArrived: WallTime?
  /// Whether the state was seen to begin, and not found.
  private(set) var sawStateBegin = false
  package private(set) var clock = CourtClock()
  package private(set) var link: Link?
  package private(set) var balls: Balls?
  package private(set) var drill: Drill?
  package private(set) var problems: [Problem] = []
  package private(set) var version: String?
  /// Whether all of it is from before the present connection to the broker.
  var isOld = false

  init(court: String) {
    self.court = court
    order = Self.order(of: court)
    look = CourtName.look(of: court)
  }

  /// Each number as wide as a name may be, so that court-2 stands before court-10.
  static func order(of court: String) -> String {
    var (order, number) = ("", "")
    // The end of a name is less than what another may go on with.
    for scalar in "\(court)\0".unicodeScalars {
      if ("0"..."9").contains(scalar) {
        number.unicodeScalars.append(scalar)
      } else {
        if !number.isEmpty {
          order += rightAligned(number, to: longestName, with: "0")
        }
        order.unicodeScalars.append(scalar)
        number = ""
      }
    }
    return order + court
  }

  /// The longest name of a court, in bytes, as `fleet.court` allows.
  static let longestName = 32
  private static let mostHolds = 4
  private static let mostProblems = 16
  /// The longest payload that is read, in bytes. A court's own payloads are shorter.
  private static let longestPayload = 16_384
  private static let deepest = 8
  private static let mostValues = 512

  /// Takes what the broker has. What can't be read is not known, like what is empty.
  mutating func receive(_ topic: CourtTopic, _ message: MQTTMessage, at time: WallTime) {
    let isLong = message.payload.count > Self.longestPayload
    let value = try? JSONValue(
      text: isLong ? [] : message.payload,
      deepest: Self.deepest,
      most: Self.mostValues
    )
    switch topic {
    case .availability:
      isOnline = CourtAvailability(payload: message.payload).map { $0 == .online }
      offlineSince = isOnline == false && !message.isRetained ? time : nil
      clock.forgetChanges()
    case .state: receive(value.flatMap { State($0) }, isKept: message.isRetained, at: time)
    case .link: link = value.flatMap { Link($0) }
    case .balls:
      balls = value.map { Balls($0) }
      if let ball = value?["last"]?.time("time") { clock.receive(ball, isNews: false, at: time) }
    case .drill: drill = value.map { Drill($0) }
    case .problem:
      problems = value?.list("problems", most: Self.mostProblems).map { Problem($0) } ?? []
    case .version:
      version = value?.text("version")
      let name = value?["name"]?.string.map { String($0.prefix(FleetSettings.longestName)) }
      nameDoubt = name.flatMap(CourtName.doubt)
      look = CourtName.look(of: name ?? court)
      self.name = name.map { CourtName.trimmed($0.printable) }
    case .player, .session, .box, .stop, .outcome, .picture, .pictureRequest: break
    }
  }

  private mutating func receive(_ new: State?, isKept: Bool, at time: WallTime) {
    let former = state?.state
    let isNews = !isKept && former != nil && new != nil && former != new?.state
    state = new
    if former != new?.state { (stateArrived, sawStateBegin) = (time, isNews) }
    if let since = new?.since { clock.receive(since, isNews: isNews, at: time) }
  }
}

extension CourtRow.State {
  fileprivate init?(_ value: JSONValue) {
    guard let state = value.text("state") else { return nil }
    if let stop = value["stop"], let outcome = stop.text("outcome") {
      self.stop = SafetyRecord.Stop(outcome: outcome, reason: stop.text("reason"))
    }
    // An earlier version says `stopped` whatever the outcome.
    self.state = CourtStateRecord.state(state, stop)
    code = value.text("code")
    reason = value.text("reason")
    mode = value.text("mode")
    since = value.time("since")
    let reasons = value.list("holds", most: CourtRow.mostHolds).compactMap { $0.text("reason") }
    holds = reasons.isEmpty ? nil : reasons
  }
}

extension CourtRow.Link {
  fileprivate init?(_ value: JSONValue) {
    guard let state = value.text("state") else { return nil }
    self.state = state
    reason = value.text("reason")
    remedy = value.text("remedy")
    since = value.time("since")
  }
}

extension CourtRow.Balls {
  fileprivate init(_ value: JSONValue) {
    session = value["session"]?.integer
    total = value["total"]?.integer
    // An earlier version leaves it out while it is 0.
    byHand = value["byHand"]?.integer ?? session.map { _ in 0 }
  }
}

extension CourtRow.Drill {
  fileprivate init(_ value: JSONValue) {
    aim = value.text("aim")
    drill = value.text("drill")
    level = value.text("level")
    set = value["set"]?.integer
    sets = value["sets"]?.integer
    ball = value["ball"]?.integer
    ballsPerSet = value["ballsPerSet"]?.integer
  }
}

extension CourtRow.Problem {
  fileprivate init(_ value: JSONValue) {
    code = value.text("code")
    text = value.text("text")
    remedy = value.text("remedy")
  }
}

/// The longest text that the table keeps, in characters.
private let longestText = 300

extension JSONValue {
  fileprivate func text(_ key: String) -> String? {
    (self[key]?.string).map { String($0.printable.prefix(longestText)) }
  }

  fileprivate func time(_ key: String) -> WallTime? {
    self[key]?.string.flatMap { WallTime(iso8601: $0) }
  }

  fileprivate func list(_ key: String, most: Int) -> ArraySlice<JSONValue> {
    guard case .array(let values) = self[key] else { return [] }
    return values.prefix(most)
  }
}
