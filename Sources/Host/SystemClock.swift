package import Clocks

/// The system's monotonic clock, optionally running faster or slower than real time.
///
/// `speed` scales simulated and replayed time; at 1 the clock is `CLOCK_BOOTTIME`. It goes on while the
/// box is suspended: a player who was seen before that isn't seen now, and a link was away for as long.
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

  package var minimumResolution: Duration { ContinuousClock().minimumResolution }

  package func sleep(until deadline: MonotonicInstant, tolerance: Duration?) async throws {
    let uptime = speed == 1 ? deadline.sinceStart : origin + deadline.sinceStart / speed
    try await ContinuousClock().sleep(
      until: ContinuousClock().systemEpoch.advanced(by: uptime),
      tolerance: tolerance.map { $0 / speed }
    )
  }

  private static var uptime: Duration {
    let clock = ContinuousClock()
    return clock.systemEpoch.duration(to: clock.now)
  }
}
