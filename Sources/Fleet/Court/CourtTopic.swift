/// What a court has on the broker, each below `ballmachine/COURT/`.
package enum CourtTopic: String, Hashable, Sendable, CaseIterable {
  /// `online` or `offline`, as text; all others but the picture are JSON.
  case availability
  case state, link, balls, player, drill, problem, session, version
  /// Which box publishes this court.
  case box
  /// The only command to the machine: stop.
  case stop
  /// What came of it.
  case outcome = "stop/outcome"
  /// A picture of the court, a JPEG.
  case picture
  /// Asks for one.
  case pictureRequest = "picture/get"

  /// The first level of all topics.
  package static let root = "ballmachine"

  /// Whether the broker keeps the last message for those who come later. A person's place or picture, and
  /// what came of a command, are of the moment.
  package var isRetained: Bool {
    switch self {
    case .player, .stop, .outcome, .picture, .pictureRequest: false
    default: true
    }
  }

  /// How sure it is that a message arrives. A ball, and a second of a player's place, is replaced by the
  /// next one.
  package var quality: MQTTMessage.Quality {
    switch self {
    case .balls, .drill, .player: .atMostOnce
    default: .atLeastOnce
    }
  }

  /// In which order topics are sent, by their paths: what a stop and a reader need first comes first, and what
  /// is no court's topic last.
  static func rank(_ path: String) -> Int {
    parse(path).flatMap { order.firstIndex(of: $0.topic) } ?? order.count
  }

  private static let order: [CourtTopic] = [
    .availability, .outcome, .state, .box, .link, .balls, .drill, .player, .problem, .version,
    .session,
    .picture,
  ]

  /// The members that a reader needs least, where a broker's packets have no room for all: what it has kept would
  /// look like the present. What is left out elsewhere could hide a problem. A stopped court without `stop` looks
  /// like one that is stopping.
  var leastMembers: [String] {
    switch self {
    case .state: ["since", "stop.reason", "reason", "holds", "stop"]
    case .outcome: ["time", "reason"]
    default: []
    }
  }

  /// - Parameter court: as in the configuration; `+`: all courts.
  package func path(of court: String) -> String { "\(Self.root)/\(court)/\(rawValue)" }

  /// A wildcard that matches this topic of this court, and what other software has below another root.
  package func wildcard(of court: String) -> String { "+/\(court)/\(rawValue)" }

  /// - Returns: nil if the topic is none of a court's.
  package static func parse(_ path: String) -> (court: String, topic: CourtTopic)? {
    let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == root, let topic = CourtTopic(rawValue: String(parts[2]))
    else { return nil }
    return (String(parts[1]), topic)
  }
}
