/// Work to be done later, sorted by deadline.
///
/// A sorted array: the entries are few, and reading the next one is far more frequent than adding.
struct TimerList<Work: Sendable>: Sendable {
  typealias Number = Int

  private struct Entry: Sendable {
    var deadline: Int64
    var number: Number
    var work: Work
  }

  /// Sorted by falling deadline: the next entry is the last.
  private var entries: [Entry] = []
  private var last: Number = 0

  /// When the next entry is due, in nanoseconds of `CLOCK_BOOTTIME`.
  var next: Int64? { entries.last?.deadline }

  /// - Parameter deadline: in nanoseconds of `CLOCK_BOOTTIME`; entries with the same deadline keep
  ///   their order.
  /// - Returns: a number of its own.
  @discardableResult
  mutating func add(_ work: Work, at deadline: Int64) -> Number {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].deadline > deadline { low = middle + 1 } else { high = middle }
    }
    last += 1
    entries.insert(Entry(deadline: deadline, number: last, work: work), at: low)
    return last
  }

  /// Removes an entry that has not been moved.
  mutating func remove(_ number: Number) {
    if let index = entries.firstIndex(where: { $0.number == number }) { entries.remove(at: index) }
  }

  /// Moves the entries that are due to `work`.
  mutating func move(dueAt now: Int64, to work: inout [Work]) {
    while let entry = entries.last, entry.deadline <= now {
      work.append(entry.work)
      entries.removeLast()
    }
  }
}
