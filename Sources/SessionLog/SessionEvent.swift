package import Clocks
package import Positions

/// Something that happened in the session, as the log writes it.
package protocol SessionEvent: Encodable, Sendable {
  /// The value of its `event`.
  var name: String { get }
  var instant: MonotonicInstant { get }
  /// The event of the position feed; nil for all other events.
  var feed: PositionEvent? { get }
}
