/// What can be asked of the service on its control socket.
package enum ControlMethod: String, Hashable, Sendable, CaseIterable, Encodable {
  case status, subscribe, table, metrics, feed, drills, arm, disarm, pause, resume, drill, level
  /// Never over a network: who adopts a device stands at the court.
  case adopt
  /// Needs no role, and no part of the message but its name.
  case stop
  case reset, reload, send

  /// Whether a line that begins with this word is a stop that a person typed: people shout it, and say
  /// more, such as `STOP!` or `stop now`.
  package static func isStop(_ word: some StringProtocol) -> Bool {
    word.lowercased().prefix(while: \.isLetter) == stop.rawValue
  }

  /// The least role that it needs.
  package var role: ControlRole {
    switch self {
    case .stop: .none
    case .status, .subscribe, .table, .metrics, .feed, .drills: .reader
    case .arm, .disarm, .pause, .resume, .drill, .level, .reset, .reload, .adopt: .operator
    case .send: .technician
    }
  }
}
