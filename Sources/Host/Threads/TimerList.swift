/// Work to be done later, sorted by deadline.
///
/// A sorted array: the entries are few, and reading the next one is far more frequent than adding.
struct TimerList<Work: Sendable>: Sendable {
  private struct Entry: Sendable {
    var deadline: Int64
    var work: Work
  }

  /// Sorted by falling deadline: the next entry is the last.
  private var entries: [Entry] = []

  /// When the next entry is due, in nanoseconds of `CLOCK_BOOTTIME`.
  var next: Int64? { entries.last?.deadline }

  /// - Parameter deadline: in nanoseconds of `CLOCK_BOOTTIME`; entries with the same deadline keep
  ///   their order.
  mutating func add(_ work: Work, at deadline: Int64) {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].deadline > deadline { low = middle + 1 } else { high = middle }
    }
    entries.insert(Entry(deadline: deadline, work: work), at: low)
  }

  /// Moves the entries that are due to `work`.
  mutating func move(dueAt now: Int64, to work: inout [Work]) {
    while let entry = entries.last, entry.deadline <= now {
      work.append(entry.work)
      entries.removeLast()
    }
  }
}
