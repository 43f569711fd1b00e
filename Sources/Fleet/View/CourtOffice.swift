package import Host
package import Terminal

/// The office's screen: the table, and a court's page above it. It keeps what it has drawn: hundreds of messages
/// a second cost no more than four, and none cost nothing. Keys and sizes count at once.
package struct CourtOffice: Sendable {
  private struct Drawn {
    var table: CourtTable
    var screen: CourtScreen
    var width: Int
    var height: Int
    var abilities: TerminalAbilities
    var time: WallTime
    var lines: [String]
  }

  /// News of the courts is drawn after so long.
  private static let pause = Duration.milliseconds(250)
  /// What ages with time is drawn again after so long.
  private static let longest = Duration.seconds(1)

  private let office: CourtTableView.Office
  private var screen: CourtScreen
  private var drawn: Drawn?
  /// The courts that are listed, and how many lines are shown of them or of the page.
  private var courts: [String] = []
  private var room = 1

  package init(_ office: CourtTableView.Office, _ screen: CourtScreen) {
    self.office = office
    self.screen = screen
  }

  /// - Returns: false to leave.
  package mutating func press(_ key: TerminalKey) -> Bool {
    screen.press(key, on: courts, room: room)
  }

  /// At most `height` lines of at most `width` columns.
  package mutating func frame(
    _ table: CourtTable,
    width: Int,
    height: Int,
    abilities: TerminalAbilities,
    now: WallTime,
    hasKeys: Bool
  ) -> [String] {
    if let drawn, drawn.width == width, drawn.height == height, drawn.abilities == abilities,
      drawn.screen == screen
    {
      // A clock that is set back makes it negative.
      let age = now.duration(since: drawn.time)
      let isFresh =
        (.zero..<Self.pause).contains(age)
        || (.zero..<Self.longest).contains(age) && drawn.table == table
      if isFresh { return drawn.lines }
    }
    let list = CourtList(table, by: screen.order, only: screen.kind, filter: screen.filter, at: now)
    courts = list.rows.map(\.court)
    var view = CourtTableView(table, list, screen, of: office, now: now, hasKeys: hasKeys)
    let lines: [String]
    if screen.isPage, let court = screen.selected {
      let row = list.all.first { $0.court == court }
      let page = CourtPageView(
        row: row,
        court: court,
        isOld: row.map(table.isOld) ?? false,
        now: now
      )
      lines = frame(of: page, width: max(1, width), height: height, abilities)
    } else {
      room = view.room(width: width, height: height)
      screen.scroll(to: courts, room: room)
      view.screen = screen
      lines = view.frame(width: width, height: height, abilities: abilities)
    }
    drawn = Drawn(
      table: table,
      screen: screen,
      width: width,
      height: height,
      abilities: abilities,
      time: now,
      lines: lines
    )
    return lines
  }

  private mutating func frame(
    of page: CourtPageView,
    width: Int,
    height: Int,
    _ abilities: TerminalAbilities
  ) -> [String] {
    let lines = page.lines(width: width)
    let isTall = height > 4
    let top = [page.title + StyledText(" on \(office.broker)")] + (isTall ? [StyledText()] : [])
    // The title, the lines, where the page goes on, and the keys.
    room = max(1, height - top.count - 1)
    let isLong = lines.count > room
    if isLong { room = max(1, room - 1) }
    screen.scrollPage(lines.count, room: room)
    var middle = Array(lines.dropFirst(screen.pageTop).prefix(room))
    middle += Array(repeating: StyledText(), count: room - middle.count)
    if isLong {
      let below = max(0, lines.count - screen.pageTop - room)
      middle.append(
        StyledText("\(screen.pageTop) lines above, \(below) below", .dim)
      )
    }
    let footer = StyledText(
      "Esc goes back; `ballmachine mqtt stop \(page.court)' stops its machine",
      .dim
    )
    return (top + middle + [footer]).prefix(max(0, height))
      .map { $0.cut(to: width).rendered(abilities) }
  }
}
