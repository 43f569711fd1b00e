/// How a court keeps its name in the ``CourtIndex`` of a broker that many courts write.
///
/// Each write replaces the whole index. All courts hear it: one that a write has lost, since two were under way
/// at once, writes again.
struct IndexedCourt: Hashable, Sendable {
  private enum State: Hashable, Sendable {
    case settled
    /// The name is missing, and is to be written after a delay that differs from court to court.
    case due
  }

  private let court: String
  private var state = State.settled
  private var newest = CourtIndex()

  init(_ court: String) { self.court = court }

  /// - Parameter index: the broker's newest one.
  /// - Returns: whether ``write()`` is to be called after a delay.
  mutating func receive(_ index: CourtIndex) -> Bool {
    newest = index
    return isMissing()
  }

  /// Whether the name is missing, and ``write()`` is to be called after a delay.
  mutating func isMissing() -> Bool {
    guard state == .settled, addition != nil else { return false }
    state = .due
    return true
  }

  /// - Returns: what to publish; nil: nothing, as the name is there by now.
  mutating func write() -> CourtIndex? {
    state = .settled
    return addition
  }

  /// Nil: the name is there, or there is no room for it.
  private var addition: CourtIndex? {
    let index = newest.adding(court)
    return index == newest ? nil : index
  }
}
