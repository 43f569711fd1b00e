package import Host

/// The courts of a table as a person wants to see them: in which order, and which of them.
package struct CourtList: Hashable, Sendable {
  package enum Order: String, Hashable, Sendable, CaseIterable {
    /// By ``CourtRank``, and as people count where that is the same.
    case worst
    /// As people count: court-2 before court-10.
    case name
  }

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Those that a person should look at.
    case problems
    /// Those whose state is `live`, also with a simulated machine.
    case live
    /// Those whose box is off, or has lost the broker.
    case off
  }

  package let rows: [CourtRow]
  /// The whole table, in its own order.
  package let all: [CourtRow]
  /// The numbers in the whole table.
  package let countToLookAt: Int
  package let countOff: Int

  package var count: Int { all.count }

  /// At a cost that grows with the number of courts, whatever the order.
  ///
  /// - Parameters:
  ///   - kind: nil: all.
  ///   - filter: what a word in the name, the state or the drill of a court begins with, in small letters or
  ///     not; `live` finds no `delivered`.
  package init(
    _ table: CourtTable,
    by order: Order,
    only kind: Kind? = nil,
    filter: String = "",
    at now: WallTime
  ) {
    let all = Self.markingNamesakes(table.rows)
    self.all = all
    countToLookAt = all.count(where: \.needsAttention)
    countOff = all.count { $0.isOnline == false }
    let filter = filter.lowercased()
    let chosen = all.filter { row in
      row.isOf(kind)
        && (filter.isEmpty || row.searched.contains { $0.lowercased().hasWord(filter) })
    }
    guard order == .worst else {
      rows = chosen
      return
    }
    var ranks = [[CourtRow]](repeating: [], count: CourtRank.allCases.count)
    for row in chosen { ranks[CourtRank(row, at: now).rawValue].append(row) }
    rows = Array(ranks.joined())
  }

  private static func markingNamesakes(_ rows: [CourtRow]) -> [CourtRow] {
    let indices = Dictionary(grouping: rows.indices) { rows[$0].look }
    var rows = rows
    for group in indices.values where group.count > 1 {
      for index in group {
        rows[index].namesake = rows[index == group[0] ? group[1] : group[0]].court
      }
    }
    // `ballmachine mqtt stop' takes the names in the topics.
    let courts = Set(rows.map(\.court))
    for index in rows.indices where rows[index].namesake == nil {
      let look = rows[index].look
      if look != rows[index].court, courts.contains(look) { rows[index].namesake = look }
    }
    return rows
  }
}

extension CourtRow {
  fileprivate func isOf(_ kind: CourtList.Kind?) -> Bool {
    switch kind {
    case nil: true
    case .problems: needsAttention
    case .live: isOnline == true && state?.state == "live"
    case .off: isOnline == false
    }
  }

  /// What a filter looks at.
  fileprivate var searched: [String] {
    let presence = isOnline == false ? "offline" : isOnline == nil ? "not known" : nil
    return [court, name, presence, state?.words, drill?.drill, drill?.level].compactMap(\.self)
  }
}

extension String {
  /// Whether a word in it, and what follows, begins so.
  fileprivate func hasWord(_ beginning: String) -> Bool {
    var isInWord = false
    for index in indices {
      if !isInWord, self[index...].hasPrefix(beginning) { return true }
      isInWord = self[index].isLetter || self[index].isNumber
    }
    return false
  }
}
