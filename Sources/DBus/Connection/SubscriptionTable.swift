/// Which subscriptions get which signals.
struct SubscriptionTable {
  private struct Entry {
    var rules: [MatchRule]
    /// Rules that the bus has not confirmed yet. They count already, because the first signals may
    /// directly follow the bus's answer.
    var coming: [MatchRule] = []
    var signals: AsyncStream<Signal>.Continuation
  }

  private var entries: [Int: Entry] = [:]
  private var nextID = 0

  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ signals: AsyncStream<Signal>.Continuation) -> Int {
    nextID += 1
    entries[nextID] = Entry(rules: [], signals: signals)
    return nextID
  }

  /// Returns whether the subscription still exists.
  mutating func begin(_ rules: [MatchRule], for id: Int) -> Bool {
    entries[id]?.coming += rules
    return entries[id] != nil
  }

  /// Sets the subscription's rules. Returns the rules that it no longer uses: the old ones, or the
  /// new ones when it has ended meanwhile.
  mutating func finish(_ rules: [MatchRule], for id: Int) -> [MatchRule] {
    guard let before = entries[id]?.rules else { return rules }
    forget(rules, for: id)
    entries[id]?.rules = rules
    return before
  }

  /// Undoes ``begin(_:for:)``.
  mutating func forget(_ rules: [MatchRule], for id: Int) {
    for rule in rules {
      guard let index = entries[id]?.coming.firstIndex(of: rule) else { continue }
      entries[id]?.coming.remove(at: index)
    }
  }

  /// Ends a subscription. Returns the rules that it used.
  mutating func end(_ id: Int) -> [MatchRule] {
    guard let entry = entries.removeValue(forKey: id) else { return [] }
    entry.signals.finish()
    return entry.rules
  }

  mutating func endAll() {
    let ended = entries
    entries = [:]
    for entry in ended.values { entry.signals.finish() }
  }

  func deliver(_ signal: Signal) {
    for entry in entries.values {
      let isWanted =
        entry.rules.contains { $0.matches(signal) } || entry.coming.contains { $0.matches(signal) }
      if isWanted { entry.signals.yield(signal) }
    }
  }
}
