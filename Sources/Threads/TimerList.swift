/// What is to be done later, each at its time.
///
/// A sorted array: those who wait are few, and who comes next is asked far more often than somebody
/// comes.
struct TimerList<Work: Sendable>: Sendable {
  private struct Entry: Sendable {
    var deadline: Int64
    var work: Work
  }

  /// The next is the last.
  private var entries: [Entry] = []

  /// When the next one is due, in nanoseconds of `CLOCK_MONOTONIC`.
  var next: Int64? { entries.last?.deadline }

  /// - Parameter deadline: in nanoseconds of `CLOCK_MONOTONIC`; of two with the same the first that
  ///   came is the first to go.
  mutating func add(_ work: Work, at deadline: Int64) {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].deadline > deadline { low = middle + 1 } else { high = middle }
    }
    entries.insert(Entry(deadline: deadline, work: work), at: low)
  }

  /// Takes out what is due.
  mutating func move(dueAt now: Int64, to work: inout [Work]) {
    while let entry = entries.last, entry.deadline <= now {
      work.append(entry.work)
      entries.removeLast()
    }
  }
}
