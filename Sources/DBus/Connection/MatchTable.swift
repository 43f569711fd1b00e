/// Which match rules the bus has from us, and how many users each has.
struct MatchTable {
  typealias Completion = (Result<Void, DBusError>) -> Void

  private struct Entry {
    var users = 1
    var isAdded = false
    /// Those who await the bus's answer.
    var waiters: [Completion]
  }

  private var entries: [String: Entry] = [:]

  /// Counts a user of the rule. Returns whether it is the first, which asks the bus for it and
  /// reports the answer to ``added(_:_:)``.
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

  /// The bus has answered. When it refused the rule, nobody uses it.
  mutating func added(_ rule: String, _ result: Result<Void, DBusError>) {
    let waiters = entries[rule]?.waiters ?? []
    entries[rule]?.waiters = []
    entries[rule]?.isAdded = true
    if case .failure = result { entries[rule] = nil }
    for waiter in waiters { waiter(result) }
  }

  /// Returns whether this was the last user, who takes the rule from the bus.
  mutating func release(_ rule: String) -> Bool {
    guard let users = entries[rule]?.users else { return false }
    entries[rule]?.users = users - 1
    guard users == 1 else { return false }
    entries[rule] = nil
    return true
  }
}
