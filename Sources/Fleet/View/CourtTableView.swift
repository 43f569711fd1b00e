package import Host
package import Terminal

/// The office's table, as lines of text for a terminal of any size. A pure function.
package struct CourtTableView: Sendable {
  let table: CourtTable
  let list: CourtList
  var screen: CourtScreen
  let office: Office
  let now: WallTime
  /// Where there is no keyboard, no key is offered.
  let hasKeys: Bool

  /// What the table shows beside the courts.
  package struct Office: Hashable, Sendable {
    /// Where the broker is.
    package var broker: String
    /// The user's name at the broker.
    package var user: String?

    package init(broker: String, user: String? = nil) {
      self.broker = broker
      self.user = user
    }
  }

  package init(
    _ table: CourtTable,
    _ list: CourtList,
    _ screen: CourtScreen = CourtScreen(),
    of office: Office,
    now: WallTime,
    hasKeys: Bool = true
  ) {
    self.table = table
    self.list = list
    self.screen = screen
    self.office = office
    self.now = now
    self.hasKeys = hasKeys
  }

  /// The width from which on there is room for what holds balls back, in columns.
  private static let wide = 100
  /// The height from which on there is room for an empty line.
  private static let tall = 10
  /// The indentation of a detail's further lines.
  private static let indent = "  "
  /// The most lines for the details of one court, the chosen or the first one, where there is no room for those of all.
  private static let mostDetails = 3
  /// Up to so many courts the columns are as wide as all of them need, and keep still when rows move.
  private static let mostMeasured = 60

  /// At most `height` lines of at most `width` columns.
  package func frame(width: Int, height: Int, abilities: TerminalAbilities) -> [String] {
    let width = max(width, 1)
    let parts = parts(width: width, height: height)
    var middle = body(width: width, parts.rows, explains: parts.explains)
    middle += parts.details
    let room = max(0, height - parts.top.count - parts.bottom.count)
    middle += Array(repeating: StyledText(), count: max(0, room - middle.count))
    return (parts.top + Array(middle.prefix(room)) + parts.bottom).prefix(max(0, height))
      .map { $0.cut(to: width).rendered(abilities) }
  }

  /// How many courts a frame of this size shows.
  package func room(width: Int, height: Int) -> Int {
    max(1, parts(width: max(width, 1), height: height).rows)
  }

  /// All of the table, without a frame: for a pipe or a file.
  package var text: String {
    let details = details(of: list.rows, width: .max)
    let lines =
      body(width: .max, list.rows.count, explains: false)
      + (details.isEmpty ? [] : [StyledText()] + details) + full
    return lines.map { $0.rendered(TerminalAbilities(colours: false)) }.joined(separator: "\n")
  }

  // MARK: The parts of a frame

  private struct Parts {
    var top: [StyledText]
    /// How many courts are shown.
    var rows: Int
    /// Whether the table has a column for what is wrong.
    var explains: Bool
    var details: [StyledText]
    var bottom: [StyledText]
  }

  private func parts(width: Int, height: Int) -> Parts {
    let top =
      [title(width: width)] + trouble(width: width) + (height < Self.tall ? [] : [StyledText()])
    let bottom = [prompt, footer(width: width)].compactMap(\.self)
    let count = list.rows.count
    // Below the line of titles.
    let room = height - top.count - bottom.count - 1
    var parts = Parts(
      top: top,
      rows: count,
      explains: room < count + 3,
      details: [],
      bottom: bottom
    )
    guard count > room || parts.explains else {
      let details = details(of: list.rows, width: width)
      guard !details.isEmpty else { return parts }
      parts.details = [StyledText()] + details
      if details.count > room - count - 1 {
        parts.details =
          [StyledText()] + details.prefix(room - count - 2) + [StyledText("…", .dim)]
      }
      return parts
    }
    let chosen = list.rows.filter { $0.court == screen.selected ?? list.rows[0].court }
    let details = details(of: chosen, width: width).prefix(max(0, min(Self.mostDetails, room / 4)))
    let hidden = count > room - details.count ? 1 : 0
    parts.rows = max(0, min(count, room - details.count - hidden))
    parts.details = Array(details)
    return parts
  }

  private func title(width: Int) -> StyledText {
    let counts = [
      counted(list.count, "court"),
      list.countToLookAt == 0 ? nil : "\(list.countToLookAt) to look at",
      list.countOff == 0 ? nil : "\(list.countOff) off",
    ]
    let courts =
      switch table.broker {
      case .connecting: "connecting …"
      case .away: counted(list.count, "court")
      case .filling, .complete: counts.compactMap(\.self).joined(separator: ", ")
      }
    let title = StyledText("Courts", .bold)
    let whole = title + StyledText(" on \(office.broker)  ") + StyledText(courts, .bold)
    return whole.width <= width ? whole : title + StyledText("  ") + StyledText(courts, .bold)
  }

  /// What is wrong with the table itself.
  private func trouble(width: Int) -> [StyledText] {
    guard case .away(let failure, let since) = table.broker else { return full }
    let old = list.count == 0 ? "" : " Below is what was known then."
    return wrapped("\(failure). It is tried again.\(old)", to: width).reduce(
      into: [
        StyledText(" NO BROKER ", .alarm) + StyledText(" since \(since.short(at: now))", .red)
      ]
    ) { $0.append(StyledText($1, .red)) }
  }

  private var full: [StyledText] {
    guard table.isFull else { return [] }
    return [StyledText("There are more than \(CourtTable.mostCourts) courts: others are left out.")]
  }

  /// Which courts are listed, where not all are.
  private var prompt: StyledText? {
    guard screen.isTyping || !screen.filter.isEmpty || screen.kind != nil else { return nil }
    let filter =
      screen.isTyping || !screen.filter.isEmpty
      ? "/\(screen.filter)\(screen.isTyping ? "_" : "")  " : ""
    let kind = screen.kind.map { ", only \($0.rawValue)" } ?? ""
    return StyledText(filter, .bold)
      + StyledText("\(list.rows.count) of \(counted(list.count, "court"))\(kind)", .yellow)
  }

  /// The most that there is room for.
  private func footer(width: Int) -> StyledText {
    let stop = "`ballmachine mqtt stop COURT' stops"
    let keys = "q leaves, Enter opens, / filters, o sorts"
    let texts =
      hasKeys
      ? [
        "\(keys)\(screen.order == .worst ? " by name" : " the worst first"); \(stop) a machine",
        "\(keys); \(stop)", "q leaves; \(stop) a machine",
      ] : ["Ctrl-C leaves; \(stop) a machine"]
    return StyledText(texts.first { $0.count <= width } ?? keys, .dim)
  }

  // MARK: The table

  /// The table and its titles.
  private func body(width: Int, _ rows: Int, explains: Bool) -> [StyledText] {
    guard !list.rows.isEmpty else { return nothing(width: width) }
    let shown = list.rows.indices.dropFirst(screen.top).prefix(rows)
    let isMeasured = list.rows.count <= Self.mostMeasured || width == .max
    let measured = isMeasured ? list.rows.indices : shown.startIndex..<shown.endIndex
    let columns = CourtColumns(self, isWide: width >= Self.wide, explains: explains)
      .columns(list.rows[measured].map(\.self)).fitted(to: width)
    let lines = [columns.line(0)] + shown.map { columns.line($0 - measured.startIndex + 1) }
    guard shown.count < list.rows.count else { return lines }
    return lines + [hidden(besides: shown)]
  }

  private var noCourt: NoCourt {
    NoCourt(user: office.user, keepsMessages: table.keepsMessages)
  }

  private func nothing(width: Int) -> [StyledText] {
    guard table.broker == .complete else { return [] }
    guard list.count > 0 else {
      return wrapped("\(noCourt)", to: width).map { StyledText($0, .yellow) }
    }
    return [StyledText("none of \(counted(list.count, "court"))", .yellow)]
  }

  /// What there is no room for.
  private func hidden(besides shown: Range<Int>.SubSequence) -> StyledText {
    let above = shown.startIndex
    let below = list.rows.count - shown.endIndex
    let parts = [above == 0 ? nil : "\(above) above", below == 0 ? nil : "\(below) below"]
    let rows = list.rows[..<above] + list.rows[shown.endIndex...]
    let worse = table.isAway ? 0 : rows.count(where: \.needsAttention)
    return StyledText(
      parts.compactMap(\.self).joined(separator: ", ")
        + (table.isAway ? "" : ", \(worse == 0 ? "none" : "\(worse)") of them to look at"),
      worse == 0 ? .dim : .yellow
    )
  }

  /// What needs attention, in full.
  private func details(of rows: [CourtRow], width: Int) -> [StyledText] {
    // Old troubles may be over.
    rows.filter { !table.isOld($0) && $0.needsAttention }.flatMap { row in
      row.troubles.flatMap { trouble in
        wrapped("\(row.court): \(trouble)", to: max(1, width - Self.indent.count)).enumerated()
          .map { StyledText(($0 == 0 ? "" : Self.indent) + $1) }
      }
    }
  }
}

extension WallTime {
  /// A time of another day is a date.
  func short(at now: WallTime) -> String {
    let age = now.duration(since: self)
    return (.seconds(-60)...(.seconds(86_400))).contains(age) ? local : String(localDate.prefix(10))
  }
}
