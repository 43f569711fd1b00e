import Clocks
import ControlProtocol
import CourtLogic
import Host
import JSON
import Programs
import SessionSummary
package import Terminal

/// The bridge at work, as lines of text for a terminal of any size. A pure function.
enum LiveView {
  /// The narrowest panel, in columns: with less room for it, the court isn't drawn.
  private static let narrowestPanel = 30
  /// A larger court leaves it so many columns, as on a terminal of 80.
  private static let usualPanel = 34
  private static let gap = 3
  /// The fewest rows below the court: with fewer, it isn't drawn. A larger court leaves more.
  private static let fewestRows = 3
  private static let usualRows = 16
  /// The most rows about the link: with more room, empty ones part the panel instead.
  private static let mostLinkRows = 6

  /// At most `height` lines of at most `width` columns.
  static func frame(
    _ state: LiveViewState,
    width: Int,
    height: Int,
    abilities: TerminalAbilities = TerminalAbilities()
  ) -> [String] {
    let width = max(width, 1)
    let header = header(state, width: width)
    let footer = footer(state, width: width)
    // The header, the footer, and a line between each and the rest.
    let room = height - 1 - footer.count
    var lines: [StyledText]
    if let scale = scaleBesidePanel(width: width, height: room - 1) {
      lines = [header, StyledText()]
      let court = drawing(state, scale)
      let left = scale.width + gap
      let panel = panel(state, rows: room - 1, width: width - left)
      for index in 0..<max(court.count, panel.count) {
        let court = court.indices.contains(index) ? court[index] : StyledText()
        let panel = panel.indices.contains(index) ? panel[index] : StyledText()
        lines.append(court.fitted(to: left) + panel)
      }
    } else if let scale = scaleAbovePanel(width: width, height: room) {
      lines = [header] + drawing(state, scale)
      lines += narrowPanel(state, width: width).prefix(room - scale.height)
    } else {
      let panel = panel(state, rows: room - 1, width: width)
      lines = [header, StyledText()] + panel.prefix(max(0, room - 1))
    }
    lines += footer
    return lines.rendered(width: width, height: height, abilities)
  }

  private static func scaleBesidePanel(width: Int, height: Int) -> CourtScale? {
    let panel = min(max(width - CourtScale.smallest.width - gap, narrowestPanel), usualPanel)
    return .fitting(width: width - gap - panel, height: height)
  }

  private static func scaleAbovePanel(width: Int, height: Int) -> CourtScale? {
    guard height >= CourtScale.smallest.height + fewestRows else { return nil }
    return .fitting(width: width, height: max(CourtScale.smallest.height, height - usualRows))
  }

  private static func drawing(_ state: LiveViewState, _ scale: CourtScale) -> [StyledText] {
    CourtDrawing.lines(
      court: state.status.court.drawn,
      lit: state.status.player?.place,
      player: state.status.player.flatMap { try? PlayerPosition(x: $0.x, y: $0.y) },
      target: state.status.chosenTraining?.next.flatMap { Zone($0) },
      scale: scale
    )
  }

  private static func header(_ state: LiveViewState, width: Int) -> StyledText {
    let badge = modeBadge(state.status.mode)
    // A run's end takes a moment longer.
    let elapsed = min(state.status.uptime, state.duration?.seconds ?? .infinity)
    var clock = elapsed.rounded(.down).clockText
    if let duration = state.duration { clock += " of \(duration.seconds.clockText)" }
    if state.speed != 1 { clock += "  ×\(state.speed.plain)" }
    var title = badge + StyledText("  Ball machine bridge", .bold)
    if title.width + 2 + clock.count > width { title = badge + StyledText(" ") }
    return title.fitted(to: max(title.width, width - clock.count)) + StyledText(clock, .dim)
  }

  /// What needs attention, or an empty line, and below it the keys: none of it is cut off.
  private static func footer(_ state: LiveViewState, width: Int) -> [StyledText] {
    let remedy = state.status.link.remedy.map { wrapped($0, to: width) } ?? []
    let stop = state.stop?.lines(isSilent: state.isSilent, width: width) ?? []
    let footer = remedy.map { StyledText($0, .yellow) } + stop
    return (footer.isEmpty ? [StyledText()] : footer) + state.keys.lines(width: width)
  }

  /// - Parameter rows: the rows that it may use; spare ones show more of the link.
  private static func panel(_ state: LiveViewState, rows: Int, width: Int) -> [StyledText] {
    let status = state.status
    var rest = arming(state, width: width) + drill(status, width: width)
    let zoneStyle: TextStyle = status.player?.place == nil ? .yellow : .green
    rest += [player(status.player), row("Zone", zone(status.player), zoneStyle)]
    rest += next(state, width: width, bar: min(max(width - 24, 10), 40))
    rest += [StyledText()] + last(status) + [StyledText()]
    rest += counts(status.counts)
    // What there is no room for is not shown, so that the keys below are.
    let linkRows = min(max(2, rows - rest.count), mostLinkRows)
    let space = rows > linkRows + rest.count ? [StyledText()] : []
    let lines = link(state, rows: linkRows, width: width) + space + rest
    return Array(lines.prefix(max(rows, 0)))
  }

  /// The lines below the court, the most important first; as many as fit.
  private static func narrowPanel(_ state: LiveViewState, width: Int) -> [StyledText] {
    let status = state.status
    var rows = [link(state)]
    rows += arming(state, width: width) + drill(status, width: width)
    rows += next(state, width: width, bar: 10)
    rows += [player(status.player), row("Zone", zone(status.player))]
    let reason = status.link.reason.map { wrapped($0, to: width - 2) } ?? []
    rows += reason.map { StyledText("  " + $0, .dim) }
    return rows + last(status) + counts(status.counts)
  }

  /// Always `rows` rows, so that nothing below moves.
  private static func link(_ state: LiveViewState, rows: Int, width: Int) -> [StyledText] {
    let link = state.status.link
    let reason = link.reason.map { wrapped($0, to: width - 2) } ?? []
    let machine = [link.machineText].compactMap(\.self)
    let details = link.details(at: state.status.t)
    let known = reason.isEmpty ? machine + details : reason + details + machine
    let lines = (known + Array(repeating: "", count: rows)).prefix(rows - 1)
    return [self.link(state)] + lines.map { StyledText("  " + $0, .dim) }
  }

  private static func link(_ state: LiveViewState) -> StyledText {
    let link = state.status.link
    return row("Link", link.phaseText, state.isSilent ? .red : link.style)
  }

  static func row(
    _ label: String,
    _ text: String,
    _ style: TextStyle = .plain
  ) -> StyledText {
    StyledText(padded(label, to: 10), .dim) + StyledText(text, style)
  }

  /// Wraps the text into as many rows as it needs.
  static func rows(
    _ label: String,
    _ text: String,
    _ style: TextStyle,
    width: Int
  ) -> [StyledText] {
    wrapped(text, to: width - 10).enumerated().map { row($0 == 0 ? label : "", $1, style) }
  }

  private static func arming(_ state: LiveViewState, width: Int) -> [StyledText] {
    guard !state.isSelfArming else { return [] }
    let safety = state.status.safety
    return rows("Arming", safety.stateText, state.isSilent ? .red : safety.style, width: width)
  }

  private static func drill(_ status: StatusRecord, width: Int) -> [StyledText] {
    guard let drill = status.chosenTraining else { return [] }
    let text = [drill.name, drill.place].compactMap(\.self).joined(separator: ", ")
    return rows("Drill", text, .plain, width: width)
  }

  private static func player(_ player: StatusRecord.Player?) -> StyledText {
    guard let player else { return row("Player", "not seen", .yellow) }
    return row("Player", "x \(player.x.fixed(2))  y \(player.y.fixed(2))")
      + StyledText("  of \(player.samples)", .dim)
  }

  private static func zone(_ player: StatusRecord.Player?) -> String {
    guard let player else { return "-" }
    return player.place?.description ?? "out of court"
  }

  /// - Parameter bar: the columns of the bar.
  private static func next(_ state: LiveViewState, width: Int, bar: Int) -> [StyledText] {
    guard state.holding == nil, let nextBall = state.status.nextDecision else {
      return rows("Next ball", state.holding ?? "with the next position", .yellow, width: width)
    }
    let interval = state.status.interval ?? LogicManager.standardInterval.seconds
    let left = min(max(nextBall / interval, 0), 1)
    let done = Int(((1 - left) * Double(bar)).rounded())
    return [
      row("Next ball", "\(max(nextBall, 0).fixed(1)) s ")
        + StyledText(String(repeating: "█", count: done), .cyan)
        + StyledText(String(repeating: "░", count: bar - done), .dim)
    ]
  }

  private static func last(_ status: StatusRecord) -> [StyledText] {
    if let last = status.lastByHand, let command = try? MachineCommand(text: last.manual.command) {
      let end = outcome(last.manual.endText, last.manual.latency, last.manual.outcome)
      return self.last(command, end, "by hand", age: status.t - last.t)
    }
    if let ball = status.lastDispatch,
      let command = try? MachineCommand(text: ball.decision.command)
    {
      let end = outcome(ball.endText, ball.latency, ball.outcome)
      let place = "zone \(ball.decision.destination ?? "-")"
      return last(command, end, place, age: status.t - ball.decision.t)
    }
    return [row("Last", "no command yet", .dim)]
      + Array(repeating: StyledText(), count: MachineEncoding.digits.fields.count + 2)
  }

  private static func outcome(
    _ text: String,
    _ latency: Double?,
    _ outcome: OutcomeRecord?
  ) -> StyledText {
    let time = latency.map { ", \((Duration.seconds($0) / .milliseconds(1)).fixed(0)) ms" } ?? ""
    return StyledText("  ") + StyledText(text + time, outcome.style)
  }

  private static func last(
    _ command: MachineCommand,
    _ end: StyledText,
    _ place: String,
    age: Double
  ) -> [StyledText] {
    let fields = command.fields.map { field, value in
      StyledText("  " + padded(field.name, to: 12), .dim)
        + StyledText(rightAligned(String(value), to: 6) + command.encoding.unit(of: field))
    }
    return [row("Last", command.text, .bold)] + fields + [
      end, StyledText("  \(place), \(age.fixed(1)) s ago", .dim),
    ]
  }

  private static func counts(_ counts: CountsRecord) -> [StyledText] {
    func all(_ outcome: KeyPath<CountsRecord.Outcomes, Int>) -> Int {
      counts.outcomes[keyPath: outcome] + counts.manualOutcomes[keyPath: outcome]
    }
    let refused = counts.badLines + counts.otherPositions
    return [
      count("delivered", all(\.delivered), .green) + count("queued", all(\.queued), .plain),
      count("not sent", all(\.notSent), .yellow) + count("unknown", all(\.unknown), .yellow),
      count("positions", counts.positions, .plain) + count("refused", refused, .yellow),
    ]
  }

  private static func count(_ label: String, _ number: Int, _ style: TextStyle) -> StyledText {
    StyledText(padded(label, to: 10), .dim)
      + StyledText(padded(String(number), to: 7), number == 0 ? .dim : style)
  }
}

extension LiveViewState {
  /// The view of this moment.
  package var frame: LiveTerminal.Frame {
    { LiveView.frame(self, width: $0, height: $1, abilities: $2) }
  }
}
