import CourtLogic
import Glibc

/// What the clock on the wall showed at an instant, as it is set now.
///
/// A box without a battery for its clock sets it some time after it has started, so this is reckoned
/// back from the present, each time.
struct WallTime: Hashable {
  private let seconds: time_t

  init(of instant: MonotonicInstant, on clock: SystemClock) {
    var present = timespec()
    clock_gettime(CLOCK_REALTIME, &present)
    let age = instant.duration(to: clock.now) / clock.speed / .seconds(1)
    let time = Double(present.tv_sec) + Double(present.tv_nsec) / 1e9 - age
    seconds = time_t(time.rounded(.down))
  }

  init(secondsSince1970 seconds: Int) {
    self.seconds = seconds
  }

  /// Here, for people: `14:03:22`.
  var local: String {
    var seconds = seconds
    var time = tm()
    localtime_r(&seconds, &time)
    return Self.format("%H:%M:%S", time)
  }

  /// Everywhere, for machines: `2026-11-21T13:03:22Z`.
  var iso8601: String {
    var seconds = seconds
    var time = tm()
    gmtime_r(&seconds, &time)
    return Self.format("%Y-%m-%dT%H:%M:%SZ", time)
  }

  private static func format(_ format: String, _ time: tm) -> String {
    var time = time
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, format, &time)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
