package import CourtLogic

/// A position and its time, counted from the beginning.
package struct TimedPosition: Hashable, Sendable {
  package var offset: Duration
  package var position: PlayerPosition

  package init(offset: Duration, position: PlayerPosition) {
    self.offset = offset
    self.position = position
  }
}
