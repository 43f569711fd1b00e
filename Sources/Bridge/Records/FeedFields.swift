import Clocks
import CourtLogic
import JSON
import Positions

/// What happens to the position feed, as part of a record's object.
struct FeedFields: Encodable {
  private enum Key: CodingKey {
    case connection, state, line, reason, limit, seconds, id, x, y
  }

  private let event: PositionEvent

  init(_ event: PositionEvent) {
    self.event = event
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    switch event {
    case .opened(let connection):
      try object.encode("opened", forKey: .state)
      try object.encode(connection, forKey: .connection)
    case .closed(let connection):
      try object.encode("closed", forKey: .state)
      try object.encode(connection, forKey: .connection)
    case .badLine(let bad, let connection):
      try object.encode("badLine", forKey: .state)
      try object.encode(connection, forKey: .connection)
      try object.encode(bad.line, forKey: .line)
      try object.encode("\(bad.reason)", forKey: .reason)
    case .clientRefused(let limit):
      try object.encode("refused", forKey: .state)
      try object.encode(limit, forKey: .limit)
    case .stoodStill(let gap):
      try object.encode("stoodStill", forKey: .state)
      try object.encode(gap.seconds.rounded(places: 3), forKey: .seconds)
    case .ended:
      try object.encode("ended", forKey: .state)
    case .position(let position, let source, _):
      // With `t`, this is a position's line, which the feed could read back.
      try object.encode(position.x.rounded(places: 4), forKey: .x)
      try object.encode(position.y.rounded(places: 4), forKey: .y)
      try object.encode(source.connection, forKey: .connection)
      try object.encodeIfPresent(source.id, forKey: .id)
    }
  }
}
