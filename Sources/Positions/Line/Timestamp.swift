import Glibc
import Host

/// Reads the timestamps of sources: seconds since any origin, or a date and time as ISO 8601 has them.
///
/// Only the differences between one source's timestamps matter, so a date without a zone counts as universal
/// time. All are rounded to microseconds: seconds since 1970 in a `Double` are no finer,
/// and 3.0417 - 2.0417 is then exactly a second.
package enum Timestamp {
  /// Beyond this (3,000 years) a number is not a time in seconds.
  private static let greatest = 1e11

  /// - Returns: nil if the number is not finite or no time in seconds.
  package static func duration(seconds: Double) -> Duration? {
    guard abs(seconds) <= greatest else { return nil }
    return .microseconds(Int64((seconds * 1_000_000).rounded()))
  }

  /// - Returns: nil for text in neither form.
  package static func duration(_ text: some StringProtocol) -> Duration? {
    if let seconds = Double(decimal: text) { return duration(seconds: seconds) }
    return date(Array(text.utf8))
  }

  /// Whether the text is a date that names no zone.
  package static func lacksZone(_ text: some StringProtocol) -> Bool {
    let time = text.utf8.dropFirst("yyyy-MM-dd ".utf8.count)
    return time.contains(UInt8(ascii: ":")) && !time.contains { "Zz+-".utf8.contains($0) }
  }

  private static func date(_ text: [UInt8]) -> Duration? {
    let pattern = Array("dddd-dd-dd dd:dd:dd".utf8)
    guard text.count >= pattern.count else { return nil }
    for (byte, expected) in zip(text, pattern) {
      switch expected {
      case UInt8(ascii: "d"): guard byte.isDigit else { return nil }
      case UInt8(ascii: " "):
        guard byte == expected || byte == UInt8(ascii: "T") else { return nil }
      default: guard byte == expected else { return nil }
      }
    }
    func number(_ range: Range<Int>) -> Int32 {
      text[range].reduce(0) { $0 * 10 + Int32($1 - UInt8(ascii: "0")) }
    }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard (1...12).contains(month), day > 0, hour < 24, minute < 60, second < 60,
      let (fraction, zone) = fractionAndZone(text[pattern.count...])
    else { return nil }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1900, month - 1, day)
    (time.tm_hour, time.tm_min, time.tm_sec) = (hour, minute, second)
    let seconds = timegm(&time)
    // `timegm` turns February 30 into a day of March.
    guard time.tm_mday == day else { return nil }
    return .seconds(seconds) + fraction - zone
  }

  /// Nothing, or a point and one to nine digits; then a zone.
  private static func fractionAndZone(
    _ text: ArraySlice<UInt8>
  ) -> (fraction: Duration, zone: Duration)? {
    guard let point = text.first, point == UInt8(ascii: ".") || point == UInt8(ascii: ",") else {
      return zone(text).map { (.zero, $0) }
    }
    let digits = text.dropFirst().prefix(while: \.isDigit)
    guard (1...9).contains(digits.count), let zone = zone(text[digits.endIndex...]) else {
      return nil
    }
    let padded = digits.map { Int64($0 - UInt8(ascii: "0")) } + Array(repeating: 0, count: 9)
    return (.microseconds(padded.prefix(6).reduce(0) { $0 * 10 + $1 }), zone)
  }

  /// Ahead of universal time: nothing, `Z`, or `+hh:mm`, `+hhmm`, `+hh`.
  private static func zone(_ text: ArraySlice<UInt8>) -> Duration? {
    guard let sign = text.first, Array(text) != [UInt8(ascii: "Z")] else { return .zero }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let rest = Array(text.dropFirst())
    let hasColon = rest.count == 5 && rest[2] == UInt8(ascii: ":")
    let digits = hasColon ? rest[..<2] + rest[3...] : rest[...]
    guard digits.count == 2 || digits.count == 4, digits.allSatisfy(\.isDigit) else { return nil }
    let numbers = digits.map { Int64($0 - UInt8(ascii: "0")) }
    let hours = numbers[0] * 10 + numbers[1]
    let minutes = numbers.count == 4 ? numbers[2] * 10 + numbers[3] : 0
    guard hours < 24, minutes < 60 else { return nil }
    let ahead = Duration.seconds(hours * 3600 + minutes * 60)
    return sign == UInt8(ascii: "-") ? .zero - ahead : ahead
  }
}
