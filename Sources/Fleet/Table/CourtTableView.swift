import ControlProtocol
package import Host
package import Terminal

/// The office's table, as lines of text for a terminal of any size. A pure function.
///
/// The courts stand in their order, each at its place. Where there are more than lines, those that
/// need attention are among the ones that are shown; a line says how many are not.
package struct CourtTableView: Sendable {
  package var table: CourtTable
  /// Where the broker is.
  package var broker: String
  package var now: WallTime
  /// Where there is no keyboard, `q` is not offered.
  package var hasKeys: Bool

  package init(_ table: CourtTable, of broker: String, now: WallTime, hasKeys: Bool = true) {
    self.table = table
    self.broker = broker
    self.now = now
    self.hasKeys = hasKeys
  }

  private static let gap = 2
  /// The width from which on there is room for what holds balls back, in columns.
  private static let wide = 100
  /// The indentation of a detail's further lines.
  private static let indent = "  "

  /// At most `height` lines of at most `width` columns.
  package func frame(width: Int, height: Int, abilities: TerminalAbilities) -> [String] {
    let width = max(width, 1)
    let top = [title] + trouble(width: width) + [StyledText()]
    let footer = [
      StyledText("\(hasKeys ? "q" : "Ctrl-C") leaves; ", .dim)
        + StyledText("`ballmachine mqtt stop COURT' stops a machine", .dim)
    ]
    let room = max(0, height - top.count - footer.count)
    var middle = body(width: width, rows: room)
    middle += details(width: width, rows: room - middle.count)
    middle += Array(repeating: StyledText(), count: max(0, room - middle.count))
    return (top + Array(middle.prefix(room)) + footer).prefix(max(0, height))
      .map { $0.cut(to: width).rendered(abilities) }
  }

  /// All of the table, without a frame: for a pipe or a file.
  package var text: String {
    let lines = body(width: .max, rows: .max) + details(width: .max, rows: .max) + full
    return lines.map { $0.rendered(TerminalAbilities(colours: false)) }.joined(separator: "\n")
  }

  private var title: StyledText {
    let attention = table.rows.count(where: isMarked)
    let courts =
      switch table.broker {
      case .connecting: "connecting …"
      case .away: counted(table.rows.count, "court")
      case .filling, .complete:
        counted(table.rows.count, "court")
          + (attention == 0 ? "" : ", \(attention) to look at")
      }
    return StyledText("Courts", .bold) + StyledText(" on \(broker)  ") + StyledText(courts, .bold)
  }

  /// What is wrong with the table itself.
  private func trouble(width: Int) -> [StyledText] {
    guard case .away(let failure, let since) = table.broker else { return full }
    let old = table.rows.isEmpty ? "" : " Below is what was known then."
    return wrapped("\(failure). It is tried again.\(old)", to: width).reduce(
      into: [StyledText(" NO BROKER ", .alarm) + StyledText(" since \(text(of: since))", .red)]
    ) { $0.append(StyledText($1, .red)) }
  }

  private var full: [StyledText] {
    guard table.isFull else { return [] }
    return [StyledText("There are more than \(CourtTable.mostCourts) courts: others are left out.")]
  }

  /// The table and its head.
  private func body(width: Int, rows: Int) -> [StyledText] {
    guard !table.rows.isEmpty else {
      return table.broker == .complete ? [StyledText("no court is on this broker", .yellow)] : []
    }
    let shown = shown(rows: rows - 1)
    let hidden = table.rows.count - shown.count
    // Where there is no room for details below.
    let explains = rows - 1 < table.rows.count + 3
    let columns = columns(shown, isWide: width >= Self.wide, explains: explains)
      .fitted(to: width, gap: Self.gap)
    let lines = (0...shown.count).map { line in
      columns.reduce(StyledText()) { text, column in
        (text.width == 0 ? text : text.fitted(to: text.width + Self.gap))
          + column.cells[line].fitted(to: column.width)
      }
    }
    guard hidden > 0 else { return lines }
    let worse = table.rows.count(where: isMarked) - shown.count(where: isMarked)
    return lines + [
      StyledText(
        "\(counted(hidden, "more court")), \(worse == 0 ? "none" : "\(worse)") to look at",
        worse == 0 ? .dim : .yellow
      )
    ]
  }

  /// The courts there is room for, in their order.
  private func shown(rows: Int) -> [CourtRow] {
    guard table.rows.count > rows else { return table.rows }
    let room = max(0, rows - 1)
    var others = room - min(room, table.rows.count(where: isMarked))
    return Array(
      table.rows.filter { row in
        guard !isMarked(row) else { return true }
        others -= 1
        return others >= 0
      }.prefix(room)
    )
  }

  /// What needs attention, in full.
  private func details(width: Int, rows: Int) -> [StyledText] {
    guard rows > 1 else { return [] }
    // Old troubles may be over.
    let lines = table.rows.filter { !isOld($0) }.flatMap { row in
      row.troubles.flatMap { trouble in
        wrapped("\(row.court): \(trouble)", to: max(1, width - Self.indent.count)).enumerated()
          .map { StyledText(($0 == 0 ? "" : Self.indent) + $1) }
      }
    }
    guard !lines.isEmpty else { return [] }
    guard lines.count > rows - 1 else { return [StyledText()] + lines }
    guard rows > 2 else { return [] }
    return [StyledText()] + Array(lines.prefix(rows - 2)) + [StyledText("…", .dim)]
  }

  private func isOld(_ row: CourtRow) -> Bool {
    if case .away = table.broker { return true }
    return row.isOld
  }

  private func isMarked(_ row: CourtRow) -> Bool { isOld(row) || row.needsAttention }

  /// Whether what it has said is of the past.
  private func isAway(_ row: CourtRow) -> Bool { isOld(row) || row.isOnline != true }

  private func columns(_ rows: [CourtRow], isWide: Bool, explains: Bool) -> [CourtColumn] {
    func column(
      _ title: String,
      rank: Int,
      least: Int,
      staysWhenAway: Bool = false,
      _ cell: (CourtRow) -> StyledText
    ) -> CourtColumn? {
      let cells = rows.map(cell)
      guard cells.contains(where: { $0.width > 0 }) else { return nil }
      // What a court that is away has said last must not look like the present.
      let shown = zip(rows, cells).map { row, cell in
        !isAway(row) ? cell : staysWhenAway ? cell.dimmed : StyledText()
      }
      return CourtColumn(rank: rank, least: least, cells: [StyledText(title, .dim)] + shown)
    }
    let state = rows.map { $0.stateCell(isOld: isOld($0)).cut(to: isWide ? 40 : 22) }
    return [
      column("  Court", rank: 7, least: 10, staysWhenAway: true) { row in
        StyledText(isMarked(row) ? "! " : "  ", .boldRed) + StyledText(row.court, .bold)
      },
      column("Name", rank: 0, least: 8, staysWhenAway: true) { row in
        StyledText(row.name == row.court ? "" : row.name ?? "")
      },
      CourtColumn(rank: 6, least: 10, cells: [StyledText("State", .dim)] + state),
      column("Mode", rank: 5, least: 4) { row in
        StyledText(row.state?.mode ?? "", row.state?.mode == "SIM" ? .green : .red)
      },
      column("Link", rank: 3, least: 6) { $0.linkCell },
      column("Balls", rank: 4, least: 5) { row in
        StyledText(row.balls?.session.map { rightAligned("\($0)", to: 5) } ?? "")
          + StyledText(row.balls?.wordsByHand ?? "", .yellow)
      },
      column("Drill", rank: 1, least: 8) { StyledText($0.drill?.text ?? "") },
      column("Since", rank: 2, least: 8, staysWhenAway: true) { row in
        // Since when it is offline is known only if it was seen to go.
        let since = isAway(row) ? row.offlineSince : row.state?.since
        return StyledText(since.map { text(of: $0) } ?? "")
      },
      explains
        ? column("Problem", rank: 4, least: 16) { StyledText($0.troubles.first ?? "") } : nil,
    ].compactMap(\.self)
  }

  /// A time of another day is a date.
  private func text(of time: WallTime) -> String {
    let age = now.duration(since: time)
    return (.seconds(-60)...(.seconds(86_400))).contains(age)
      ? time.local : String(time.localDate.prefix(10))
  }
}

private struct CourtColumn {
  /// Lower ones give way first.
  var rank: Int
  /// The least width: with less, the column is left out.
  var least: Int
  /// The title first.
  var cells: [StyledText]
  var width: Int

  init(rank: Int, least: Int, cells: [StyledText]) {
    self.rank = rank
    self.cells = cells
    width = cells.map(\.width).max() ?? 0
    self.least = min(least, width)
  }
}

extension [CourtColumn] {
  /// The columns narrowed to the width, without those for which there is no room.
  fileprivate func fitted(to width: Int, gap: Int) -> [CourtColumn] {
    var columns = self
    var excess = columns.reduce(0) { $0 + $1.width + gap } - gap - width
    for index in columns.indices.sorted(by: { columns[$0].rank < columns[$1].rank }) {
      let cut = Swift.max(0, Swift.min(excess, columns[index].width - columns[index].least))
      columns[index].width -= cut
      excess -= cut
    }
    guard excess > 0, columns.count > 1, let last = columns.map(\.rank).min() else {
      return columns
    }
    let least = columns.lastIndex { $0.rank == last }
    return indices.filter { $0 != least }.map { self[$0] }.fitted(to: width, gap: gap)
  }
}

extension StyledText {
  fileprivate var dimmed: StyledText {
    StyledText(cells: cells.map { Cell(character: $0.character, style: .dim) })
  }
}

extension CourtRow {
  /// What is wrong, and what to do about it, a line each.
  package var troubles: [String] {
    func line(_ texts: String?...) -> String? {
      let texts = texts.compactMap(\.self)
      return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
    var lines: [String?] = []
    if isOnline == false {
      lines.append("its box is off or has lost the broker; balls may still fly")
    }
    if let state, state.isBad { lines.append(line(state.reason ?? state.words)) }
    if let link, link.reason != nil { lines.append(line(link.reason, link.remedy)) }
    lines += problems.map { line($0.text ?? $0.code, $0.remedy) }
    var seen: Set<String> = []
    return lines.compactMap(\.self).filter { seen.insert($0).inserted }
  }

  /// Whether a person should look at this court.
  package var needsAttention: Bool {
    isOnline != true || state?.isBad != false || link?.reason != nil || !problems.isEmpty
  }

  /// The state, or that it is not known any more and what it was.
  fileprivate func stateCell(isOld: Bool) -> StyledText {
    let was = state.map { "was \($0.words)" }
    if isOld {
      return StyledText((isOnline == false ? "was offline" : was) ?? "not known", .dim)
    }
    guard isOnline == true else {
      let word = isOnline == false ? "offline" : "not known"
      return StyledText(word, .red) + StyledText(was.map { ", \($0)" } ?? "", .dim)
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
}

extension CourtRow.State {
  fileprivate var stopMeaning: SafetyRecord.Stop.Meaning? { .init(rawValue: state) }

  fileprivate var isBad: Bool { stopMeaning != nil || state == CourtStateRecord.noService }

  /// What holds balls back, or may still come of the last ones.
  fileprivate var holdWords: String {
    guard let hold = holds?.first else { return "" }
    return switch state {
    case "live": ", held: \(hold)"
    case "disarmed", "resting": ", \(hold)"
    default: ""
    }
  }

  fileprivate var words: String {
    switch state {
    case "live": "LIVE"
    case "noService": "no service"
    default: stopMeaning == .stopNotDelivered ? "stop NOT delivered" : state.inWords
    }
  }

  fileprivate var style: TextStyle {
    switch state {
    case "live": .boldGreen
    case _ where isBad: .red
    case "disarmed": .plain
    default: .yellow
    }
  }
}

extension CourtRow.Balls {
  /// Nil for none.
  fileprivate var wordsByHand: String? { byHand.flatMap { $0 > 0 ? " +\($0) by hand" : nil } }
}

extension CourtRow.Drill {
  fileprivate var text: String? {
    guard let drill else { return [aim, level].compactMap(\.self).joined(separator: ", ") }
    guard let set, let sets, let ball, let ballsPerSet else { return drill }
    return "\(drill) \(set)/\(sets) \(ball)/\(ballsPerSet)"
  }
}

extension String {
  /// A record's word for people: `backingOff` as `backing off`.
  fileprivate var inWords: String {
    reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
  }
}
