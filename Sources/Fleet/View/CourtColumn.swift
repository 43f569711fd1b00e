import Terminal

/// A column of the table, with its title.
struct CourtColumn {
  /// Lower ones give way first.
  var rank: Int
  /// The least width: with less, the column is left out.
  var least: Int
  /// The title first.
  var cells: [StyledText]
  var width: Int
  /// Whether it says nothing that differs from court to court, and may go first.
  var isUniform: Bool

  init(rank: Int, least: Int, cells: [StyledText], isUniform: Bool = false) {
    self.rank = rank
    self.cells = cells
    self.isUniform = isUniform
    width = cells.map(\.width).max() ?? 0
    self.least = min(least, width)
  }
}

extension [CourtColumn] {
  static let gap = 2

  /// The columns narrowed to the width, without those for which there is no room.
  func fitted(to width: Int) -> [CourtColumn] {
    var columns = self
    var excess = columns.reduce(0) { $0 + $1.width + Self.gap } - Self.gap - width
    if excess > 0, columns.contains(where: \.isUniform) {
      let least = columns.indices.filter { columns[$0].isUniform }
        .min { columns[$0].rank < columns[$1].rank }
      if let least { columns.remove(at: least) }
      return columns.fitted(to: width)
    }
    for index in columns.indices.sorted(by: { columns[$0].rank < columns[$1].rank }) {
      let cut = Swift.max(0, Swift.min(excess, columns[index].width - columns[index].least))
      columns[index].width -= cut
      excess -= cut
    }
    guard excess > 0, columns.count > 1, let last = columns.map(\.rank).min() else {
      return columns
    }
    let least = columns.lastIndex { $0.rank == last }
    return indices.filter { $0 != least }.map { self[$0] }.fitted(to: width)
  }

  /// A line of the table; 0: the titles.
  func line(_ number: Int) -> StyledText {
    reduce(StyledText()) { text, column in
      (text.width == 0 ? text : text.fitted(to: text.width + Self.gap))
        + column.cells[number].fitted(to: column.width)
    }
  }
}

extension StyledText {
  var dimmed: StyledText {
    StyledText(cells: cells.map { Cell(character: $0.character, style: .dim) })
  }
}
