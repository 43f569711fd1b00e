/// Reads the times that sources write: seconds since whenever, or `yyyy-MM-dd HH:mm:ss`.
///
/// Only differences of one source's times mean anything, so a date counts from 1970 without any
/// time zone. Everything is rounded to microseconds: seconds since 1970 in a `Double` are no finer,
/// and 3.0417 - 2.0417 is then exactly a second.
package enum Timestamp {
  /// Beyond this (3,000 years) a number is not a time in seconds.
  private static let greatest = 1e11

  /// - Returns: nil if it is not finite or no time in seconds.
  package static func duration(seconds: Double) -> Duration? {
    guard abs(seconds) <= greatest else { return nil }
    return .microseconds(Int64((seconds * 1_000_000).rounded()))
  }

  /// - Returns: nil for text of neither form.
  package static func duration(_ text: some StringProtocol) -> Duration? {
    if let seconds = Double(decimal: text) { return duration(seconds: seconds) }
    return date(Array(text.utf8))
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
    func number(_ range: Range<Int>) -> Int {
      text[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard (1...12).contains(month), (1...length(of: month, in: year)).contains(day),
      hour < 24, minute < 60, second < 60,
      let fraction = fraction(text[pattern.count...])
    else { return nil }
    let days = daysSince1970(year: year, month: month, day: day)
    return .seconds(((days * 24 + hour) * 60 + minute) * 60 + second) + fraction
  }

  /// Nothing, or a point and one to nine digits.
  private static func fraction(_ text: ArraySlice<UInt8>) -> Duration? {
    guard let point = text.first else { return .zero }
    let digits = text.dropFirst()
    guard point == UInt8(ascii: "."), (1...9).contains(digits.count), digits.allSatisfy(\.isDigit)
    else { return nil }
    let padded = digits.map { Int64($0 - UInt8(ascii: "0")) } + Array(repeating: 0, count: 9)
    return .microseconds(padded.prefix(6).reduce(0) { $0 * 10 + $1 })
  }

  private static func length(of month: Int, in year: Int) -> Int {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Days of the proleptic Gregorian calendar, with years that begin in March so that the leap day
  /// comes last.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = (month + 9) % 12
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    // 719,468 days lie between 0000-03-01 and 1970-01-01; year 0 is never negative here but for
    // January and February of year 0, which floor division keeps right.
    let leapDays = floor(marchYear, 4) - floor(marchYear, 100) + floor(marchYear, 400)
    return marchYear * 365 + leapDays + dayOfYear - 719_468
  }

  private static func floor(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
  }
}

extension Double {
  /// Reads a decimal number; `Double(_:)` alone would also take “nan”, “inf” and “0x1p4”.
  init?(decimal text: some StringProtocol) {
    guard text.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }) else { return nil }
    self.init(text)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
