/// Our match rules at the bus, and how many users each has.
struct MatchTable {
  typealias Completion = (Result<Void, DBusError>) -> Void

  private struct Entry {
    var users = 1
    var isAdded = false
    /// The users that await the bus's answer.
    var waiters: [Completion]
  }

  private var entries: [String: Entry] = [:]

  /// Counts a user of the rule. Returns true for the first user, who must ask the bus for the rule
  /// and report the answer to ``added(_:_:)``.
  mutating func acquire(_ rule: String, _ completion: @escaping Completion) -> Bool {
    guard entries[rule] != nil else {
      entries[rule] = Entry(waiters: [completion])
      return true
    }
    entries[rule]?.users += 1
    if entries[rule]?.isAdded == true {
      completion(.success(()))
    } else {
      entries[rule]?.waiters.append(completion)
    }
    return false
  }

  /// The bus has answered. A refused rule has no users.
  mutating func added(_ rule: String, _ result: Result<Void, DBusError>) {
    let waiters = entries[rule]?.waiters ?? []
    entries[rule]?.waiters = []
    entries[rule]?.isAdded = true
    if case .failure = result { entries[rule] = nil }
    for waiter in waiters { waiter(result) }
  }

  /// Returns true for the last user, who must remove the rule from the bus.
  mutating func release(_ rule: String) -> Bool {
    guard let users = entries[rule]?.users else { return false }
    entries[rule]?.users = users - 1
    guard users == 1 else { return false }
    entries[rule] = nil
    return true
  }
}
