/// A point in time on a clock that never jumps: the time since that clock's start.
///
/// On the real clock the start is the system's (`CLOCK_BOOTTIME` zero), so that instants of two
/// processes on one machine compare. A test or a simulation starts its own clock where it likes.
package struct MonotonicInstant: InstantProtocol, Hashable, Sendable {
  /// The time since the clock's start.
  package var sinceStart: Duration

  package init(sinceStart: Duration) {
    self.sinceStart = sinceStart
  }

  /// The clock's start.
  package static let start = MonotonicInstant(sinceStart: .zero)

  /// The time since the clock's start in seconds, for logs.
  package var seconds: Double { sinceStart / .seconds(1) }

  package func advanced(by duration: Duration) -> MonotonicInstant {
    MonotonicInstant(sinceStart: sinceStart + duration)
  }

  package func duration(to other: MonotonicInstant) -> Duration {
    other.sinceStart - sinceStart
  }

  package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.sinceStart < right.sinceStart
  }
}
