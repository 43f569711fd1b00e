import Clocks
import Host

/// Counts the events that a reader of standard output has missed. It warns of the first at once, of
/// the rest once a minute and at the end.
final class MissedEvents: Sendable {
  private struct State: Sendable {
    var unreported = 0
    /// When it was warned last, in seconds on the service's clock.
    var lastWarning: Double?
  }

  /// The least time between two warnings, in seconds.
  private static let interval = 60.0

  private let state = Locked(State())
  private let warn: @Sendable (String) -> Void

  init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

  func add(_ count: Int, at now: Double) {
    let unreported = state.withLock { state in
      state.unreported += count
      if let last = state.lastWarning, now - last < Self.interval { return 0 }
      state.lastWarning = now
      defer { state.unreported = 0 }
      return state.unreported
    }
    report(unreported)
  }

  /// Warns of what is left, at the end.
  func finish() {
    report(
      state.withLock { state in
        defer { state.unreported = 0 }
        return state.unreported
      }
    )
  }

  private func report(_ count: Int) {
    guard count > 0 else { return }
    warn("\(counted(count, "event")) not written: the reader of standard output is too slow")
  }
}
