package import Clocks

/// Whose requests are counted together.
package enum Requester: Hashable, Sendable {
  /// A paired phone, by its number: what others of its network send doesn't count.
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
  private let burst: Double
  private let perSecond: Double
  private let mostRequesters: Int
  private var allowances: [Requester: Allowance] = [:]

  package init(burst: Double = 20, perSecond: Double = 5, mostRequesters: Int = 1024) {
    self.burst = burst
    self.perSecond = perSecond
    self.mostRequesters = mostRequesters
  }

  /// Whether a request may go on. One that may not doesn't count.
  package mutating func allows(_ requester: Requester, at now: MonotonicInstant) -> Bool {
    if allowances[requester] == nil, allowances.count >= mostRequesters { makeRoom(at: now) }
    return allowances[requester, default: Allowance(perSecond, most: burst)].take(at: now)
  }

  /// Forgets those that may send a burst again; if there is none, the longest silent one. An
  /// honest phone is never locked out by a crowd.
  private mutating func makeRoom(at now: MonotonicInstant) {
    allowances = allowances.filter { $0.value.left(at: now) < burst }
    guard allowances.count >= mostRequesters else { return }
    if let oldest = allowances.min(by: { $0.value.last < $1.value.last })?.key {
      allowances[oldest] = nil
    }
  }
}
