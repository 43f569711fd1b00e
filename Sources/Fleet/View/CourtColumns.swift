import ControlProtocol
import Host
import Terminal

/// The table's columns.
struct CourtColumns {
  private let view: CourtTableView
  private let isWide: Bool
  private let explains: Bool

  /// - Parameters:
  ///   - isWide: whether there is room for what holds balls back.
  ///   - explains: whether there is a column for what is wrong.
  init(_ view: CourtTableView, isWide: Bool, explains: Bool) {
    self.view = view
    self.isWide = isWide
    self.explains = explains
  }

  /// Those that say something.
  func columns(_ rows: [CourtRow]) -> [CourtColumn] {
    // `stop NOT delivered` is never cut where other columns can go.
    let words =
      rows.lazy.filter { $0.isOnline == true }.compactMap { $0.state?.words.count }.max() ?? 0
    let state = rows.map { $0.stateCell(isOld: view.table.isOld($0)).cut(to: isWide ? 40 : 22) }
    return [
      column("  Court", rows, rank: 7, least: 10, staysWhenAway: true) { row in
        StyledText(mark(row), .boldRed) + StyledText(row.court, .bold)
      },
      column("Name", rows, rank: 0, least: 8, staysWhenAway: true) { row in
        StyledText(row.shownName ?? "")
      },
      CourtColumn(rank: 6, least: max(10, words), cells: [StyledText("State", .dim)] + state),
      column("Mode", rows, rank: 5, least: 4) { row in
        StyledText(row.state?.mode ?? "", row.state?.mode == "SIM" ? .green : .red)
      },
      column("Link", rows, rank: 3, least: 6, mayGo: true) { $0.linkCell },
      column("Balls", rows, rank: 4, least: 5, mayGo: true) { $0.ballsCell },
      column("Drill", rows, rank: 1, least: 8, mayGo: true) { StyledText($0.drill?.text ?? "") },
      column("Since", rows, rank: 2, least: 8, staysWhenAway: true, mayGo: true) { row in
        let since = view.table.isOld(row) ? row.offlineSince : row.shownSince
        return StyledText(since?.short(at: view.now) ?? "")
      },
      explains
        ? column("Problem", rows, rank: 4, least: 16, staysWhenAway: true) { row in
          StyledText(view.table.isOld(row) || !row.needsAttention ? "" : row.troubles.first ?? "")
        } : nil,
    ].compactMap(\.self)
  }

  /// - Parameters:
  ///   - staysWhenAway: whether a court that is away shows it: it is no word of the past.
  ///   - mayGo: whether the column may go where it says the same of all courts.
  private func column(
    _ title: String,
    _ rows: [CourtRow],
    rank: Int,
    least: Int,
    staysWhenAway: Bool = false,
    mayGo: Bool = false,
    _ cell: (CourtRow) -> StyledText
  ) -> CourtColumn? {
    // What a court that is away has said last must not look like the present.
    let cells = rows.map { row in
      guard view.table.isOld(row) || row.isOnline != true else { return cell(row) }
      return staysWhenAway ? cell(row).dimmed : StyledText()
    }
    let words = cells.filter { $0.width > 0 }
    guard let first = words.first else { return nil }
    return CourtColumn(
      rank: rank,
      least: least,
      cells: [StyledText(title, .dim)] + cells,
      isUniform: mayGo && words.count > 1 && words.allSatisfy { $0 == first }
    )
  }

  /// Two columns: whether to look at it, and whether it is chosen.
  private func mark(_ row: CourtRow) -> String {
    (view.table.isOld(row) || row.needsAttention ? "!" : " ")
      + (row.court == view.screen.selected ? ">" : " ")
  }
}

extension CourtRow {
  /// The state, or that it is not known any more and what it was.
  fileprivate func stateCell(isOld: Bool) -> StyledText {
    let was = state.map { "was \($0.words)" }
    if isOld {
      return StyledText((isOnline == false ? "was offline" : was) ?? "not known", .dim)
    }
    guard isOnline == true else {
      let word = isOnline == false ? "offline" : "not known"
      let style: TextStyle = needsAttention ? .red : .plain
      return StyledText(word, style) + StyledText(was.map { ", \($0)" } ?? "", .dim)
    }
    guard let state else { return StyledText("not known", .red) }
    return StyledText(state.words, state.style) + StyledText(state.holdWords, .yellow)
  }

  fileprivate var linkCell: StyledText {
    guard let link else { return StyledText() }
    let style: TextStyle =
      link.reason != nil ? .red : link.state == "ready" ? .green : .yellow
    return StyledText(link.state.inWords, style)
  }

  fileprivate var ballsCell: StyledText {
    guard let balls else { return StyledText() }
    return StyledText(balls.session.map { rightAligned("\($0)", to: 5) } ?? "")
      + StyledText(balls.wordsByHand.map { " +\($0)" } ?? "", .yellow)
  }
}

extension CourtRow.State {
  fileprivate var style: TextStyle {
    switch state {
    case "live": .boldGreen
    case _ where isBad: .red
    case "disarmed": .plain
    default: .yellow
    }
  }
}

extension CourtRow.Drill {
  fileprivate var text: String? {
    guard let drill else { return [aim, level].compactMap(\.self).joined(separator: ", ") }
    guard let set, let sets, let ball, let ballsPerSet else { return drill }
    return "\(drill) \(set)/\(sets) \(ball)/\(ballsPerSet)"
  }
}
