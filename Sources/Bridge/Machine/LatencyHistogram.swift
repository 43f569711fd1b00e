/// Counts durations in buckets of equal relative width: any number of them in constant memory.
///
/// Microseconds below 64 are exact; above, a percentile is too large by 1/32 of its value at most.
package struct LatencyHistogram: Hashable, Sendable {
  /// Each power of two is split into so many buckets.
  private static let split = 32
  /// Enough for an hour; longer durations count as the longest.
  private static let size = split * 30

  private var buckets = [Int](repeating: 0, count: size)
  package private(set) var count = 0
  package private(set) var maximum = Duration.zero
  /// The sum of all durations.
  package private(set) var total = Duration.zero

  package init() {}

  package mutating func record(_ duration: Duration) {
    let duration = max(duration, .zero)
    let microseconds = Int(min(duration / .microseconds(1), 1e15))
    count += 1
    maximum = max(maximum, duration)
    total += duration
    buckets[min(Self.bucket(of: microseconds), Self.size - 1)] += 1
  }

  /// The duration within which the given part of all durations lies; nil when there are none.
  ///
  /// - Parameter part: 0…1.
  package func percentile(_ part: Double) -> Duration? {
    guard count > 0 else { return nil }
    let rank = max(1, Int((part * Double(count)).rounded(.up)))
    var seen = 0
    for (index, number) in buckets.enumerated() {
      seen += number
      if seen >= rank { return min(.microseconds(Self.upperBound(of: index)), maximum) }
    }
    return maximum
  }

  /// How many durations were no longer than this one, as exactly as the buckets allow.
  package func count(upTo duration: Duration) -> Int {
    let microseconds = Int(min(max(duration, .zero) / .microseconds(1), 1e15))
    return buckets.prefix(Self.bucket(of: microseconds) + 1).reduce(0, +)
  }

  static func bucket(of microseconds: Int) -> Int {
    guard microseconds >= 2 * split else { return microseconds }
    let shift = microseconds.bitWidth - microseconds.leadingZeroBitCount - 6
    return (shift + 1) * split + (microseconds >> shift) - split
  }

  /// The largest number of microseconds that the bucket counts.
  static func upperBound(of bucket: Int) -> Int {
    guard bucket >= 2 * split else { return bucket }
    let shift = bucket / split - 1
    return (bucket % split + split + 1) << shift - 1
  }
}
