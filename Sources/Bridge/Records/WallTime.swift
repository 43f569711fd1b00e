package import CourtLogic
import Glibc

/// What the clock on the wall showed at an instant, as it is set now.
///
/// A box without a battery for its clock sets it some time after it has started, so this is reckoned
/// back from the present, each time.
package struct WallTime: Hashable, Sendable {
  private let millisecondsSince1970: Int64

  package init(of instant: MonotonicInstant, on clock: SystemClock) {
    var present = timespec()
    clock_gettime(CLOCK_REALTIME, &present)
    let age = instant.duration(to: clock.now) / clock.speed / .milliseconds(1)
    let time = Double(present.tv_sec) * 1e3 + Double(present.tv_nsec) / 1e6 - age
    millisecondsSince1970 = Int64(time.rounded(.down))
  }

  package init(secondsSince1970 seconds: Int) {
    millisecondsSince1970 = Int64(seconds) * 1_000
  }

  /// - Parameter duration: what a clock on the wall shows, since 1970.
  package init(since1970 duration: Duration) {
    millisecondsSince1970 = Int64((duration / .milliseconds(1)).rounded(.down))
  }

  /// Here, for people: `14:03:22`.
  package var local: String {
    var seconds = seconds
    var time = tm()
    localtime_r(&seconds, &time)
    return Self.format("%H:%M:%S", time)
  }

  /// Everywhere, for machines: `2026-11-21T13:03:22Z`.
  package var iso8601: String { universal + "Z" }

  /// The same to the millisecond: `2026-11-21T13:03:22.250Z`.
  package var preciseISO8601: String {
    let milliseconds = millisecondsSince1970 - Int64(seconds) * 1_000
    return universal + "." + String(1_000 + milliseconds).dropFirst() + "Z"
  }

  private var universal: String {
    var seconds = seconds
    var time = tm()
    gmtime_r(&seconds, &time)
    return Self.format("%Y-%m-%dT%H:%M:%S", time)
  }

  private var seconds: time_t {
    // Rounded down before 1970 too, where a box's clock may well stand.
    time_t((Double(millisecondsSince1970) / 1e3).rounded(.down))
  }

  private static func format(_ format: String, _ time: tm) -> String {
    var time = time
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, format, &time)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
