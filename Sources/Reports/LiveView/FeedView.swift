package import ControlProtocol
import Host
import JSON
package import Terminal

/// What feeders send, as lines of text for a terminal of any size.
package struct FeedView: ServiceView {
  /// A column of the table, behind that of the source's name.
  private struct Column {
    let title: String
    let width: Int
    var isText = false

    func cell(_ text: String) -> String {
      isText ? padded("  " + text, to: width) : rightAligned(text, to: width)
    }
  }

  private static let columns = [
    Column(title: "x", width: 7), Column(title: "y", width: 7),
    Column(title: "Zone", width: 14, isText: true), Column(title: "Age", width: 9),
    Column(title: "Rate", width: 9), Column(title: "Latency", width: 9),
  ]
  private static let cellsWidth = columns.reduce(0) { $0 + $1.width }
  private static let shortestName = 16

  private static func hasTable(_ width: Int) -> Bool { width >= cellsWidth + shortestName }

  package static let request = ControlRequest.feed
  package static let interval = Duration.seconds(1)

  private var record: FeedersRecord
  package var keys = LiveViewState.Keys.stopsAndLeaves
  package var stop: LiveViewState.StopOutcome?
  private var isSilent = false

  package init(_ record: FeedersRecord) { self.record = record }

  package var safety: SafetyRecord { record.safety }

  package mutating func doubt(after silence: Duration) {
    guard silence >= LiveViewState.patience else { return }
    isSilent = true
    record.safety = SafetyRecord(state: "no answer for \(silence.components.seconds) s")
    record.feeders = []
  }

  package var frame: LiveTerminal.Frame {
    { lines(width: $0, height: $1).rendered(width: $0, height: $1, $2) }
  }

  private func lines(width: Int, height: Int) -> [StyledText] {
    let width = max(width, 1)
    var footer = stop?.lines(isSilent: isSilent, width: width) ?? []
    footer = (footer.isEmpty ? [StyledText()] : footer) + keys.lines(width: width)
    // The keys stay, and so does what stands below the sources.
    let room = max(0, height - footer.count)
    let header = [modeBadge(record.mode) + StyledText("  Position feed", .bold), StyledText()]
    let details = [StyledText()] + details(width: width)
    let sources = sources(width: width, rows: max(2, room - header.count - details.count))
    return (header + sources + details).prefix(room) + footer.suffix(max(0, height))
  }

  // MARK: Sources

  private func sources(width: Int, rows: Int) -> [StyledText] {
    if let text = record.emptyText {
      return isSilent ? [] : wrapped(text, to: width).map { StyledText($0, .yellow) }
    }
    let isTable = Self.hasTable(width)
    let blocks = record.sources.map { isTable ? [row($0, width)] : block($0, width) }
    var shown =
      isTable ? [StyledText(line("  Source", Self.columns.map(\.title), width), .dim)] : []
    for (index, block) in blocks.enumerated() {
      let isLast = index == blocks.count - 1
      guard shown.count + block.count <= (isLast ? rows : rows - 1) else {
        return shown + [StyledText("  and \(blocks.count - index) more", .dim)]
      }
      shown += block
    }
    return shown
  }

  private func row(_ named: FeedersRecord.Named, _ width: Int) -> StyledText {
    let source = named.source
    let cells = [
      source.x.fixed(2), source.y.fixed(2), source.zone ?? "out of court", source.ageText,
      source.rateText ?? "-", source.delayText ?? "-",
    ]
    return StyledText(line(mark(named) + named.name, cells, width), style(named))
  }

  private func line(_ name: String, _ cells: [String], _ width: Int) -> String {
    let space = width - Self.cellsWidth
    let start = name.count > space ? name.prefix(space - 1) + "…" : name
    return zip(Self.columns, cells).reduce(padded(start, to: space)) { $0 + $1.0.cell($1.1) }
  }

  /// For a terminal that is too narrow for the table.
  private func block(_ named: FeedersRecord.Named, _ width: Int) -> [StyledText] {
    hanging(mark(named), wrapped(named.text, to: width - 2)).map { StyledText($0, style(named)) }
  }

  private func mark(_ named: FeedersRecord.Named) -> String {
    named.source.followed ? "● " : "  "
  }

  private func style(_ named: FeedersRecord.Named) -> TextStyle {
    named.source.followed ? .green : named.isPresent ? .plain : .dim
  }

  // MARK: What else there is

  private func details(width: Int) -> [StyledText] {
    func rows(_ label: String, _ text: String?, _ style: TextStyle = .plain) -> [StyledText] {
      text.map { LiveView.rows(label, $0, style, width: width) } ?? []
    }
    let latency = record.sources.first?.source.latencyText
    return rows("Latency", Self.hasTable(width) ? latency : nil)
      + rows("Others", record.othersText)
      + rows("Refused", record.refusedText, .yellow)
      + rows("Dropped", record.droppedText, .yellow)
      + rows("Arming", record.safety.stateText, isSilent ? .red : record.safety.style)
      + record.holdTexts.flatMap { rows("", $0, .yellow) }
  }
}
