package import Clocks

/// The latest positions with their arrival times, in a fixed amount of memory.
package struct PositionRing: Sendable {
  package struct Sample: Hashable, Sendable {
    package var arrival: MonotonicInstant
    package var x: Double
    package var y: Double

    package init(arrival: MonotonicInstant, x: Double, y: Double) {
      self.arrival = arrival
      self.x = x
      self.y = y
    }
  }

  package let capacity: Int
  private var storage: [Sample] = []
  /// Where the oldest sample stands in `storage`.
  private var head = 0
  package private(set) var count = 0

  /// - Parameter capacity: at least 1. All memory is taken here.
  package init(capacity: Int) {
    precondition(capacity > 0)
    self.capacity = capacity
    storage.reserveCapacity(capacity)
  }

  /// The sample at `index`, 0 being the oldest.
  package subscript(index: Int) -> Sample {
    precondition(index >= 0 && index < count)
    return storage[place(index)]
  }

  /// Adds the newest sample; a full ring forgets its oldest one.
  package mutating func append(_ sample: Sample) {
    if count == capacity { removeOldest() }
    let place = place(count)
    if place == storage.count { storage.append(sample) } else { storage[place] = sample }
    count += 1
  }

  /// Forgets what arrived before `instant`.
  package mutating func removeOlder(than instant: MonotonicInstant) {
    while count > 0, self[0].arrival < instant { removeOldest() }
  }

  package mutating func removeAll() {
    head = 0
    count = 0
  }

  private mutating func removeOldest() {
    head = place(1)
    count -= 1
  }

  private func place(_ index: Int) -> Int {
    let place = head + index
    return place < capacity ? place : place - capacity
  }
}
