import ControlProtocol
import Host
import Terminal

/// All that one court has said, as lines of text. A pure function.
struct CourtPageView {
  /// Nil: it is not on the broker any more.
  let row: CourtRow?
  /// Its name in the topics.
  let court: String
  /// Whether the connection to the broker is over.
  let isOld: Bool
  let now: WallTime

  private static let titleWidth = 10

  var title: StyledText {
    StyledText(court, .bold) + StyledText(row?.shownName.map { "  \($0)" } ?? "", .bold)
  }

  /// - Parameter width: of the screen, in columns.
  func lines(width: Int) -> [StyledText] {
    guard let row else { return [StyledText("\(court) is not on this broker any more", .yellow)] }
    var lines = items(presence(row), width: width)
    if row.isOnline == true, !isOld {
      lines += items(words(row), width: width)
    } else {
      let went = row.offlineSince.map { "at \($0.short(at: now))" }
      let head =
        isOld
        ? "Before the broker was lost:"
        : row.isOnline == false
          ? "Before it went off\(went.map { " \($0)" } ?? ""):" : "What it has said:"
      lines += [StyledText(), StyledText(head, .bold)]
      lines += items(words(row), width: width).map(\.dimmed)
    }
    return lines + [StyledText()] + items(identity(row), width: width)
  }

  private typealias Item = (title: String, texts: [String])

  private func presence(_ row: CourtRow) -> [Item] {
    guard !isOld else { return [("Box", ["not known: there is no connection to the broker"])] }
    let word =
      switch row.isOnline {
      case true?: "online"
      case false?: "offline" + (row.offlineSince.map { " since \($0.short(at: now))" } ?? "")
      case nil: "not known"
      }
    return [
      ("Box", [word]), ("Trouble", row.needsAttention || row.isOnline != true ? row.troubles : []),
    ]
  }

  private func words(_ row: CourtRow) -> [Item] {
    var items: [Item] = []
    if let state = row.state {
      let since = row.stateSince.map { "since \($0.short(at: now))" }
      let what = sentence([state.words, state.mode, since], separator: ", ")
      items.append(("State", [what, state.reason].compactMap(\.self)))
      items.append(("Held by", state.holds ?? []))
      if let stop = state.stop {
        let text = sentence([stop.outcome.inWords, stop.reason])
        items.append(("Stop", [text].compactMap(\.self)))
      }
    }
    if let link = row.link {
      let text = sentence([link.state.inWords, link.reason, link.remedy])
      items.append(("Link", [text].compactMap(\.self)))
    }
    items.append(("Balls", [row.balls?.text].compactMap(\.self)))
    items.append(("Drill", [row.drill?.sentence].compactMap(\.self)))
    items.append(("Problems", row.problems.compactMap(\.sentence)))
    return items
  }

  private func identity(_ row: CourtRow) -> [Item] {
    [
      ("Name", [row.name].compactMap(\.self)),
      ("Version", [row.version].compactMap(\.self)),
      ("Clock", [row.clock.words].compactMap(\.self)),
    ]
  }

  /// Those that say something, each with its title beside the first line.
  private func items(_ items: [Item], width: Int) -> [StyledText] {
    let room = max(1, width - Self.titleWidth)
    return items.flatMap { title, texts in
      texts.flatMap { wrapped($0, to: room) }.enumerated().map { number, line in
        StyledText(padded(number == 0 ? title : "", to: Self.titleWidth), .dim) + StyledText(line)
      }
    }
  }
}

extension CourtRow.Balls {
  /// Nil for none.
  var wordsByHand: String? { byHand.flatMap { $0 == 0 ? nil : "\($0) by hand" } }

  fileprivate var text: String? {
    let texts = [
      session.map { "\($0) in this session" }, total.map { "\($0) since the service began" },
      wordsByHand,
    ]
    return sentence(texts, separator: ", ")
  }
}

extension CourtRow.Drill {
  fileprivate var sentence: String? {
    func part(_ name: String, _ number: Int?, of count: Int?) -> String? {
      number.map { "\(name) \($0)\(count.map { " of \($0)" } ?? "")" }
    }
    let texts = [
      drill, part("set", set, of: sets), part("ball", ball, of: ballsPerSet),
      level.map { "level \($0)" }, aim.map { "aim \($0)" },
    ]
    return Fleet.sentence(texts, separator: ", ")
  }
}
