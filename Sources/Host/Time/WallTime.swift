package import Clocks
import Glibc

/// The wall-clock time of an instant, by the present setting of the clock.
///
/// A box without a clock battery sets its clock some time after its start, so each conversion
/// counts back from the present.
package struct WallTime: Hashable, Sendable {
  private let millisecondsSince1970: Int64

  /// The present.
  package init() {
    self.init(ago: 0)
  }

  package init(of instant: MonotonicInstant, on clock: SystemClock) {
    let age = instant.duration(to: clock.now) / clock.speed
    self.init(ago: age / .milliseconds(1))
  }

  /// - Parameter age: in milliseconds.
  private init(ago age: Double) {
    let time = Double(nanoseconds(on: CLOCK_REALTIME)) / 1e6 - age
    millisecondsSince1970 = Int64(time.rounded(.down))
  }

  package init(secondsSince1970 seconds: Int) {
    millisecondsSince1970 = Int64(seconds) * 1_000
  }

  /// - Parameter duration: wall-clock time since 1970.
  package init(since1970 duration: Duration) {
    millisecondsSince1970 = Int64((duration / .milliseconds(1)).rounded(.down))
  }

  /// - Parameter text: as ``iso8601`` or ``preciseISO8601`` writes it; any other text gives nil.
  package init?(iso8601 text: String) {
    let numbers = text.split { !$0.isNumber }.compactMap { Int32($0) }
    guard 6...7 ~= numbers.count, numbers.allSatisfy({ $0 < 10_000 }) else { return nil }
    var time = tm()
    time.tm_year = numbers[0] - 1900
    time.tm_mon = numbers[1] - 1
    time.tm_mday = numbers[2]
    time.tm_hour = numbers[3]
    time.tm_min = numbers[4]
    time.tm_sec = numbers[5]
    let milliseconds = Int64(numbers.count == 7 ? numbers[6] : 0)
    millisecondsSince1970 = Int64(timegm(&time)) * 1_000 + milliseconds
    // This refuses wrong separators, and days such as February 30.
    guard iso8601 == text || preciseISO8601 == text else { return nil }
  }

  package func advanced(by duration: Duration) -> WallTime {
    WallTime(since1970: .milliseconds(millisecondsSince1970) + duration)
  }

  package func duration(since other: WallTime) -> Duration {
    .milliseconds(millisecondsSince1970 - other.millisecondsSince1970)
  }

  /// Local time, for people: `14:03:22`.
  package var local: String { local("%H:%M:%S") }

  /// Local date and time, for people: `2026-11-21 14:03:22`.
  package var localDate: String { local("%Y-%m-%d %H:%M:%S") }

  private func local(_ format: String) -> String {
    var seconds = seconds
    var time = tm()
    localtime_r(&seconds, &time)
    return Self.format(format, time)
  }

  /// Universal time, for machines: `2026-11-21T13:03:22Z`.
  package var iso8601: String { universal + "Z" }

  /// The time to the millisecond, in UTC: `2026-11-21T13:03:22.250Z`.
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
    // Rounded down before 1970 too: an unset clock may show such a time.
    time_t((Double(millisecondsSince1970) / 1e3).rounded(.down))
  }

  private static func format(_ format: String, _ time: tm) -> String {
    var time = time
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, format, &time)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Written as ``WallTime/iso8601``, to the second.
extension WallTime: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let time = WallTime(iso8601: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "its time is invalid"
      )
    }
    self = time
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(iso8601)
  }
}
