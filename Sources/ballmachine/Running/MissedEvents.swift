import Clocks
import Host

/// Counts the events that a reader of standard output has missed. It warns of the first at once, of
/// the rest once a minute and at the end.
final class MissedEvents: Sendable {
  private struct State: Sendable {
    var untold = 0
    /// In seconds on the service's clock.
    var lastWarning: Double?
  }

  /// In seconds.
  private static let interval = 60.0

  private let state = Locked(State())
  private let warn: @Sendable (String) -> Void

  init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

  func add(_ count: Int, at now: Double) {
    let untold = state.withLock { state in
      state.untold += count
      if let last = state.lastWarning, now - last < Self.interval { return 0 }
      state.lastWarning = now
      defer { state.untold = 0 }
      return state.untold
    }
    tell(untold)
  }

  /// Warns of what is left, at the end.
  func finish() {
    tell(
      state.withLock { state in
        defer { state.untold = 0 }
        return state.untold
      }
    )
  }

  private func tell(_ count: Int) {
    guard count > 0 else { return }
    warn("\(counted(count, "event")) not written: the reader of standard output is too slow")
  }
}
