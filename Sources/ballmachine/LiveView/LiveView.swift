import Bridge
import Clocks
import CourtLogic
import Host
import JSON
import Programs
import SessionSummary

/// The bridge at work, as lines of text for a terminal of any size. A pure function.
enum LiveView {
  /// With less room for the panel, the court isn't drawn.
  private static let narrowestPanel = 30
  private static let gap = 3
  /// With fewer rows below the court, it isn't drawn.
  private static let fewestRows = 3

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
    if width >= CourtDrawing.width + gap + narrowestPanel, room - 1 >= CourtDrawing.height {
      lines = [header, StyledText()]
      let court = drawing(state)
      let panel = panel(state, rows: room - 1)
      for index in 0..<max(court.count, panel.count) {
        let left = (court.indices.contains(index) ? court[index] : StyledText())
          .fitted(to: CourtDrawing.width + gap)
        lines.append(left + (panel.indices.contains(index) ? panel[index] : StyledText()))
      }
    } else if width >= CourtDrawing.width, room >= CourtDrawing.height + fewestRows {
      lines = [header] + drawing(state)
      lines += narrowPanel(state, width: width).prefix(room - CourtDrawing.height)
    } else {
      lines = [header, StyledText()] + panel(state, rows: room - 1).prefix(max(0, room - 1))
    }
    lines += footer
    return lines.prefix(max(height, 0)).map { $0.cut(to: width).rendered(abilities) }
  }

  private static func drawing(_ state: LiveViewState) -> [StyledText] {
    CourtDrawing.lines(
      court: state.court,
      lit: state.player?.zone,
      player: state.player?.position,
      target: state.target
    )
  }

  private static func header(_ state: LiveViewState, width: Int) -> StyledText {
    let badge =
      state.mode == .simulated ? StyledText(" SIM ", .badge) : StyledText(" REAL ", .alarm)
    // A run's end takes a moment longer.
    let elapsed = min(state.elapsed, state.duration ?? state.elapsed)
    var clock = elapsed.seconds.rounded(.down).clockText
    if let duration = state.duration { clock += " of \(duration.seconds.clockText)" }
    if state.speed != 1 { clock += "  ×\(state.speed.plain)" }
    var title = badge + StyledText("  Ball machine bridge", .bold)
    if title.width + 2 + clock.count > width { title = badge + StyledText(" ") }
    return title.fitted(to: max(title.width, width - clock.count)) + StyledText(clock, .dim)
  }

  /// What needs attention, or an empty line, and below it the keys: none of it is cut off.
  private static func footer(_ state: LiveViewState, width: Int) -> [StyledText] {
    func lines(_ text: String, _ style: TextStyle) -> [StyledText] {
      wrapped(text, to: width).map { StyledText($0, style) }
    }
    var footer = state.notice.map { lines($0, .yellow) } ?? []
    footer += state.stop.map { lines($0.text, TextStyle($0.tone)) } ?? []
    if footer.isEmpty { footer = [StyledText()] }
    switch state.keys {
    case .endsRun: footer += lines("Ctrl-C ends it, with a stop command to the machine.", .dim)
    case .endsView:
      footer += lines(
        "Ctrl-C ends this view, not the service. `ballmachine stop' stops the machine.",
        .dim
      )
    case .stopsAndLeaves:
      footer.append(StyledText(" STOP ", .alarm) + StyledText(" space or s    q leaves", .bold))
    }
    return footer
  }

  /// - Parameter rows: the rows that it may use; spare ones show more of the link.
  private static func panel(_ state: LiveViewState, rows: Int) -> [StyledText] {
    let width = panelTextWidth + 2
    let rest =
      arming(state.arming, width: width) + drill(state, width: width) + [
        player(state.player),
        row("Zone", zone(state.player), state.player?.zone == nil ? .yellow : .green),
      ] + next(state, width: width) + [StyledText()] + last(state.last) + [StyledText()]
      + counts(state.counts)
    // What there is no room for is not shown, so that the keys below are.
    return Array((link(state.link, rows: max(2, rows - rest.count)) + rest).prefix(max(rows, 0)))
  }

  /// Below the court, the most important first; as many rows as fit.
  private static func narrowPanel(_ state: LiveViewState, width: Int) -> [StyledText] {
    var rows = [row("Link", state.link.state, TextStyle(state.link.tone))]
    rows +=
      arming(state.arming, width: width) + drill(state, width: width) + next(state, width: width)
    rows += [player(state.player), row("Zone", zone(state.player))]
    let reason = state.link.reason.map { wrapped($0, to: width - 2) } ?? []
    rows += reason.map { StyledText("  " + $0, .dim) }
    return rows + last(state.last) + counts(state.counts)
  }

  /// Always `rows` rows, so that nothing below moves.
  private static func link(_ link: LiveViewState.Link, rows: Int) -> [StyledText] {
    let reason = link.reason.map { wrapped($0, to: panelTextWidth) } ?? []
    let machine = [link.machine].compactMap(\.self)
    let known = reason.isEmpty ? machine + link.details : reason + link.details + machine
    let lines = (known + Array(repeating: "", count: rows)).prefix(rows - 1)
    return [row("Link", link.state, TextStyle(link.tone))]
      + lines.map { StyledText("  " + $0, .dim) }
  }

  /// The columns beside the court on a terminal of 80.
  private static let panelTextWidth = 80 - CourtDrawing.width - gap - 2

  private static func row(
    _ label: String,
    _ text: String,
    _ style: TextStyle = .plain
  ) -> StyledText {
    StyledText(padded(label, to: 10), .dim) + StyledText(text, style)
  }

  /// As many rows as the text needs.
  private static func rows(
    _ label: String,
    _ text: String,
    _ style: TextStyle,
    width: Int
  ) -> [StyledText] {
    wrapped(text, to: width - 10).enumerated().map { row($0 == 0 ? label : "", $1, style) }
  }

  private static func arming(_ arming: LiveViewState.Arming?, width: Int) -> [StyledText] {
    arming.map { rows("Arming", $0.state, TextStyle($0.tone), width: width) } ?? []
  }

  private static func drill(_ state: LiveViewState, width: Int) -> [StyledText] {
    state.drill.map { rows("Drill", $0, .plain, width: width) } ?? []
  }

  private static func player(_ player: LiveViewState.Player?) -> StyledText {
    guard let player else { return row("Player", "not seen", .yellow) }
    let position = "x \(player.position.x.fixed(2))  y \(player.position.y.fixed(2))"
    return row("Player", position) + StyledText("  of \(player.sampleCount)", .dim)
  }

  private static func zone(_ player: LiveViewState.Player?) -> String {
    guard let player else { return "-" }
    return player.zone?.description ?? "out of court"
  }

  private static func next(_ state: LiveViewState, width: Int) -> [StyledText] {
    guard state.holding == nil, let nextBall = state.nextBall else {
      return rows("Next ball", state.holding ?? "with the next position", .yellow, width: width)
    }
    let left = min(max(nextBall / state.interval, 0), 1)
    let done = Int(((1 - left) * 10).rounded())
    return [
      row("Next ball", "\((max(nextBall, .zero) / .seconds(1)).fixed(1)) s ")
        + StyledText(String(repeating: "█", count: done), .cyan)
        + StyledText(String(repeating: "░", count: 10 - done), .dim)
    ]
  }

  private static func last(_ dispatch: LiveViewState.Dispatch?) -> [StyledText] {
    let rows = MachineEncoding.digits.fields.count + 3
    guard let dispatch else {
      return [row("Last", "no command yet", .dim)]
        + Array(repeating: StyledText(), count: rows - 1)
    }
    let command = dispatch.command
    let fields = command.fields.map { field, value in
      StyledText("  " + padded(field.name, to: 12), .dim)
        + StyledText(rightAligned(String(value), to: 6) + command.encoding.unit(of: field))
    }
    var outcome = dispatch.outcome ?? "on its way"
    if let latency = dispatch.latency {
      outcome += ", \((latency / .milliseconds(1)).fixed(0)) ms"
    }
    return [row("Last", command.text, .bold)] + fields + [
      StyledText("  ") + StyledText(outcome, TextStyle(dispatch.tone)),
      StyledText(
        "  \(dispatch.isByHand ? "by hand" : "zone \(dispatch.zone?.description ?? "-")"), "
          + "\((dispatch.age / .seconds(1)).fixed(1)) s ago",
        .dim
      ),
    ]
  }

  private static func counts(_ counts: LiveViewState.Counts) -> [StyledText] {
    [
      count("delivered", counts.delivered, .green) + count("queued", counts.queued, .plain),
      count("not sent", counts.notSent, .yellow) + count("unknown", counts.unknown, .yellow),
      count("positions", counts.positions, .plain) + count("refused", counts.refused, .yellow),
    ]
  }

  private static func count(_ label: String, _ number: Int, _ style: TextStyle) -> StyledText {
    StyledText(padded(label, to: 10), .dim)
      + StyledText(padded(String(number), to: 7), number == 0 ? .dim : style)
  }
}

extension LiveViewState {
  /// The view of this moment.
  var frame: LiveTerminal.Frame {
    { LiveView.frame(self, width: $0, height: $1, abilities: $2) }
  }
}
