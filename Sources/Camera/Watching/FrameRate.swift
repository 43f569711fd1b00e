import Clocks

/// Frames a second, in the last second.
struct FrameRate {
  private(set) var value = 0.0
  private var begin = MonotonicInstant.start
  private var frames = 0

  var rounded: Double { (value * 10).rounded() / 10 }

  mutating func count(at now: MonotonicInstant) {
    frames += 1
    let passed = begin.duration(to: now) / .seconds(1)
    guard passed >= 1 else { return }
    (value, begin, frames) = (Double(frames) / passed, now, 0)
  }

  /// The source is gone.
  mutating func stop() { value = 0 }
}
