import Glibc

/// Tells when the process stood still: it was stopped, frozen with its control group, suspended with
/// the box, or starved. What had come meanwhile is of unknown age.
///
/// Its owner waits no longer than ``patience(at:)`` and tells it the time after each step: a gap of more
/// than ``limit`` is a standstill.
package struct StandstillWatch {
  /// How long the owner may wait at a stretch. Feeders of four positions a second and more wake it
  /// sooner anyway.
  static let pulse = Duration.milliseconds(250)
  /// The longest gap that is none: a busy box may be late for a pulse or two.
  static let limit = pulse * 3
  /// After so long without bytes it waits for ever, and nothing wakes an idle box. It is the longest
  /// silence that the configuration allows before a countdown (``SafetyRules/silenceBeforeCountdown``).
  static let attention = Duration.seconds(3600)

  private var last: Duration
  private var lastBytes: Duration?
  private var mayWaitForEver = true

  /// - Parameter now: on ``now``'s clock, as all times here.
  init(at now: Duration) {
    last = now
  }

  /// Bytes came with the last step: from now on it is to be judged how old the next ones are.
  mutating func attend() { lastBytes = last }

  /// How long to wait for the next step; nil: for ever.
  mutating func patience(at now: Duration) -> Duration? {
    mayWaitForEver = lastBytes.map { now - $0 >= Self.attention } ?? true
    return mayWaitForEver ? nil : Self.pulse
  }

  /// A step is done.
  ///
  /// - Returns: how long the process stood still before `now`; nil when it didn't, or when it was to wait
  ///   for ever: then a gap says nothing.
  mutating func stepped(at now: Duration) -> Duration? {
    defer {
      last = now
      mayWaitForEver = false
    }
    let gap = now - last
    return !mayWaitForEver && gap > Self.limit ? gap : nil
  }

  /// The world's time, which goes on while the box is suspended: `CLOCK_BOOTTIME`.
  package static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
