package import Clocks

/// Whose requests are counted together.
package enum Requester: Hashable, Sendable {
  /// By its number: what others of its network send doesn't count.
  case phone(Int)
  /// What is not paired.
  case address(ClientAddress)

  /// - Returns: nil if neither is known.
  init?(phone: Int?, _ address: ClientAddress?) {
    if let phone {
      self = .phone(phone)
    } else if let address {
      self = .address(address)
    } else {
      return nil
    }
  }
}

/// How many requests a phone or an address may send: a few at once, and so many a second on the
/// average.
package struct RequestRate: Sendable {
  private struct Bucket {
    var spent: Double
    var at: MonotonicInstant
  }

  private let burst: Double
  private let perSecond: Double
  private let mostRequesters: Int
  private var buckets: [Requester: Bucket] = [:]

  package init(burst: Double = 20, perSecond: Double = 5, mostRequesters: Int = 1024) {
    self.burst = burst
    self.perSecond = perSecond
    self.mostRequesters = mostRequesters
  }

  /// Whether a request may go on. One that may not doesn't count.
  package mutating func allows(_ requester: Requester, at now: MonotonicInstant) -> Bool {
    if buckets[requester] == nil, buckets.count >= mostRequesters { makeRoom(at: now) }
    var bucket = Bucket(spent: spent(buckets[requester], at: now), at: now)
    let isAllowed = bucket.spent + 1 <= burst
    if isAllowed { bucket.spent += 1 }
    buckets[requester] = bucket
    return isAllowed
  }

  private func spent(_ bucket: Bucket?, at now: MonotonicInstant) -> Double {
    guard let bucket else { return 0 }
    let seconds = max(.zero, bucket.at.duration(to: now)) / .seconds(1)
    return max(0, bucket.spent - seconds * perSecond)
  }

  /// Forgets those that may send a burst again; if there is none, the longest silent one. An
  /// honest phone is never locked out by a crowd.
  private mutating func makeRoom(at now: MonotonicInstant) {
    buckets = buckets.filter { spent($0.value, at: now) > 0 }
    guard buckets.count >= mostRequesters else { return }
    if let oldest = buckets.min(by: { $0.value.at < $1.value.at })?.key { buckets[oldest] = nil }
  }
}
