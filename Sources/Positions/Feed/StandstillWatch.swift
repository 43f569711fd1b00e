import Glibc
import Host

/// Detects that the process stood still: it was stopped, frozen with its control group, suspended
/// with the box, or starved. Data that came meanwhile is of unknown age.
///
/// Its owner waits no longer than ``longestWait(at:)`` and calls ``stepped(at:)`` after each step: a
/// gap longer than ``limit`` is a standstill.
package struct StandstillWatch {
  /// The owner's longest wait. Feeders with four or more positions a second wake it sooner anyway.
  static let pulse = Duration.milliseconds(250)
  /// The longest gap that is no standstill: a busy box may be a pulse or two late.
  static let limit = pulse * 3
  /// After this long without bytes the owner waits for ever, so that an idle box sleeps. It is the
  /// longest ``SafetyRules/silenceBeforeCountdown`` that the configuration allows: before the next ball
  /// a countdown or feeding begins, from which on the owner attends.
  static let attention = Duration.seconds(3600)

  private var last: Duration
  private var lastBytes: Duration?
  private var mayWaitForEver = true

  /// - Parameter now: on the clock of ``now``, as all times here.
  init(at now: Duration) {
    last = now
  }

  /// Bytes came with the last step, or balls may fly soon: the age of the next ones must be judged.
  mutating func attend() { lastBytes = last }

  /// How long to wait for the next step; nil: for ever.
  mutating func longestWait(at now: Duration) -> Duration? {
    mayWaitForEver = lastBytes.map { now - $0 >= Self.attention } ?? true
    return mayWaitForEver ? nil : Self.pulse
  }

  /// A step is done.
  ///
  /// - Returns: how long the process stood still before `now`; nil when it didn't, or when it was
  ///   waiting for ever: then a gap says nothing.
  mutating func stepped(at now: Duration) -> Duration? {
    defer {
      last = now
      mayWaitForEver = false
    }
    let gap = now - last
    return !mayWaitForEver && gap > Self.limit ? gap : nil
  }

  /// `CLOCK_BOOTTIME`, which goes on while the box is suspended.
  package static var now: Duration { .nanoseconds(nanoseconds(on: CLOCK_BOOTTIME)) }
}
