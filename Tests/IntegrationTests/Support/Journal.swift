import Clocks
import Dispatch

/// What came so far, and waiting for what comes.
///
/// No wait is for ever: after ``Setups/patience`` it fails and says what came instead.
actor Journal<Entry: Sendable> {
  private(set) var entries: [Entry] = []
  /// How many there were, the forgotten ones too.
  private(set) var total = 0
  /// The first entry that ``next(_:where:)`` has not passed yet.
  private var cursor = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var lastWait = 0
  private var overdue: Set<Int> = []

  func append(_ entry: Entry) {
    entries.append(entry)
    total += 1
    wake()
  }

  /// Forgets all entries. Nobody must be waiting.
  func forget() {
    precondition(waiters.isEmpty)
    entries = []
    cursor = 0
  }

  /// The next entry that is wanted. The search goes on behind it next time.
  @discardableResult
  func next(
    _ what: String,
    where isWanted: @Sendable (Entry) -> Bool
  ) async throws -> Entry {
    let start = cursor
    lastWait += 1
    let wait = lastWait
    // Not a task that sleeps: that one's memory would stay until its time is over, cancelled or not.
    let deadline = DispatchSource.makeTimerSource()
    deadline.schedule(deadline: .now() + .milliseconds(Int(Setups.patience / .milliseconds(1))))
    deadline.setEventHandler { @Sendable in Task { await self.expire(wait) } }
    deadline.resume()
    defer { deadline.cancel() }
    while true {
      while cursor < entries.count {
        cursor += 1
        if isWanted(entries[cursor - 1]) { return entries[cursor - 1] }
      }
      if overdue.contains(wait) {
        let came = entries[start...].suffix(40).map { "\n  \($0)" }.joined()
        throw Overdue(description: "\(what) did not come within \(Setups.patience), but:\(came)")
      }
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  private func expire(_ wait: Int) {
    overdue.insert(wait)
    wake()
  }

  private func wake() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}

/// Something did not come in time.
struct Overdue: Error, CustomStringConvertible {
  var description: String
}

/// Runs what may hang when something is wrong: the test then fails, and goes on without it.
@discardableResult
func limited<Result: Sendable>(
  _ what: String,
  _ body: @escaping @Sendable () async -> Result
) async throws -> Result {
  let results = Journal<Result>()
  Task { await results.append(body()) }
  return try await results.next(what) { _ in true }
}
