package import Clocks
import Glibc

/// The system's monotonic clock, optionally running faster or slower than real time.
///
/// `speed` scales simulated and replayed time; at 1 the clock is `CLOCK_BOOTTIME`. It goes on while the
/// box is suspended: a player who was seen before that isn't seen now, and a link was away for as long.
///
/// The program's thread (``OneThread``) wakes the tasks that sleep on it.
package struct SystemClock: MonotonicClock {
  /// How many seconds of this clock pass in a real second.
  package let speed: Double
  private let origin: Duration

  /// - Parameter speed: finite and above zero.
  package init(speed: Double = 1) {
    precondition(speed.isFinite && speed > 0)
    self.speed = speed
    origin = speed == 1 ? .zero : Self.uptime
  }

  package var now: MonotonicInstant {
    let uptime = Self.uptime
    return MonotonicInstant(sinceStart: speed == 1 ? uptime : (uptime - origin) * speed)
  }

  package var minimumResolution: Duration { .nanoseconds(1) }

  package func sleep(until deadline: MonotonicInstant, tolerance: Duration?) async throws {
    try await wait(until: deadline, tolerance: tolerance)
  }

  /// - Parameter tolerance: isn't used.
  package func wait(until deadline: MonotonicInstant, tolerance: Duration?) async throws {
    let uptime = speed == 1 ? deadline.sinceStart : origin + deadline.sinceStart / speed
    try await LoopExecutor.forSleepers.sleep(until: uptime.wholeNanoseconds)
  }

  private static var uptime: Duration { .nanoseconds(nanoseconds(on: CLOCK_BOOTTIME)) }
}

extension LoopExecutor {
  private static let ofTests = LoopExecutor()

  /// The program's; in programs that don't run on one thread, as in tests, one for all sleepers.
  fileprivate static var forSleepers: LoopExecutor { OneThread.executor ?? ofTests }
}

extension Duration {
  /// Whole nanoseconds, clamped to an `Int64`.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowsToo) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard !overflows, !overflowsToo else { return seconds < 0 ? .min : .max }
    return sum
  }
}
