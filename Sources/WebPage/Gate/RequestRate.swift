package import Clocks

/// How many requests an address may send: a few at once, and so many a second on the average.
package struct RequestRate: Sendable {
  private struct Bucket {
    var spent: Double
    var at: MonotonicInstant
  }

  private let burst: Double
  private let perSecond: Double
  private let mostAddresses: Int
  private var buckets: [ClientAddress: Bucket] = [:]

  package init(burst: Double = 20, perSecond: Double = 5, mostAddresses: Int = 1024) {
    self.burst = burst
    self.perSecond = perSecond
    self.mostAddresses = mostAddresses
  }

  /// Whether a request may go on. One that may not doesn't count.
  package mutating func allows(_ address: ClientAddress, at now: MonotonicInstant) -> Bool {
    if buckets[address] == nil, buckets.count >= mostAddresses { makeRoom(at: now) }
    var bucket = Bucket(spent: spent(buckets[address], at: now), at: now)
    let isAllowed = bucket.spent + 1 <= burst
    if isAllowed { bucket.spent += 1 }
    buckets[address] = bucket
    return isAllowed
  }

  private func spent(_ bucket: Bucket?, at now: MonotonicInstant) -> Double {
    guard let bucket else { return 0 }
    let seconds = max(.zero, bucket.at.duration(to: now)) / .seconds(1)
    return max(0, bucket.spent - seconds * perSecond)
  }

  /// Forgets the addresses that may send a burst again; if there is none, the longest silent one. An
  /// honest phone is never locked out by a crowd.
  private mutating func makeRoom(at now: MonotonicInstant) {
    buckets = buckets.filter { spent($0.value, at: now) > 0 }
    guard buckets.count >= mostAddresses else { return }
    if let oldest = buckets.min(by: { $0.value.at < $1.value.at })?.key { buckets[oldest] = nil }
  }
}
