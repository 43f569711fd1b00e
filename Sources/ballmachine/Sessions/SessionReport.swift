import ControlProtocol
import CourtLogic
import Host
import JSON
import Programs
import Reports
import SessionSummary

/// A session in a list.
struct SessionLine: Report {
  var session: Session

  var text: String {
    ([
      padded("\(session.name)", to: 6), padded(session.mode ?? "", to: 4),
      String(session.begin.localDate.dropLast(3)), rightAligned(session.seconds.clockText, to: 7),
      session.ballsText,
    ] + [session.trainingText, session.label].compactMap(\.self)).joined(separator: "  ")
  }

  func encode(to encoder: any Encoder) throws { try session.encode(to: encoder) }
}

/// A session, and the last ones like it beside it.
struct SessionReport: LinedReport {
  private static let width = 80
  private static let labelWidth = 11

  var session: Session
  /// From the oldest to the newest.
  var before: [Session]

  var lines: [String] {
    let mode = session.mode.map { "  \($0)" } ?? ""
    var lines = ["Session \(session.name)  \(session.begin.localDate)\(mode)"]
    lines += [
      line("Drill", [session.trainingText, session.seed.map { "seed \($0)" }]),
      line("Player", [session.label]),
      line("Came to", [session.progress?.text]),
      line(
        "Length",
        ["\(session.seconds.clockText), balls could fly for \(session.live.clockText)"]
      ),
      line("Ended", ["\(session.ending.reason) (\(session.ending.code))"]),
      line("Balls", [session.outcomes.count > 0 ? session.outcomes.shortText : "none"]),
    ].flatMap(\.self)
    if session.balls > 0 { lines += zones }
    lines += [
      line("Machine", [session.answers?.text]),
      line("By hand", [session.manualCommands > 0 ? session.manualOutcomes.shortText : nil]),
      list("Held", session.holds),
      list("Paused", session.pauses),
      line("Rested", [session.rested > 0 ? session.rested.clockText : nil]),
      line("Seen", [seen]),
      line("First step", [firstSteps]),
      line("Note", session.notes),
    ].flatMap(\.self)
    return lines + [""] + comparison
  }

  private func line(_ label: String, _ words: [String?]) -> [String] {
    let words = words.compactMap(\.self)
    guard !words.isEmpty else { return [] }
    return hanging(
      padded(label, to: Self.labelWidth),
      wrapped(words.joined(separator: ", "), to: Self.width - Self.labelWidth)
    )
  }

  private func list(_ label: String, _ items: [Session.Interruption]) -> [String] {
    guard !items.isEmpty else { return [] }
    let lines = items.flatMap { item in
      wrapped(
        "\(item.reason): \(counted(item.count, "time")), \(item.seconds.clockText)",
        to: Self.width - Self.labelWidth
      )
    }
    return hanging(padded(label, to: Self.labelWidth), lines)
  }

  /// The balls by zone, as the player's camera sees the court.
  private var zones: [String] {
    let rows = (0..<Zone.side).map { row in
      let cells = session.targets[(row * Zone.side)..<((row + 1) * Zone.side)].map {
        rightAligned($0 > 0 ? "\($0)" : ".", to: 7)
      }
      let side = [0: "  net", Zone.side - 1: "  baseline"][row] ?? ""
      return String(repeating: " ", count: Self.labelWidth) + cells.joined() + side
    }
    let out = session.outOfCourt > 0 ? line("", ["out of court \(session.outOfCourt)"]) : []
    return rows + out
  }

  private var seen: String? {
    guard session.live > 0 else { return nil }
    guard let movement = session.movement else {
      return "no positions of the player at most 1 s apart"
    }
    let share = min(100, movement.seen / session.live * 100)
    return "\(movement.seen.clockText), \(share.fixed(0)) % of the time in which balls could fly"
  }

  private var firstSteps: String? {
    session.movement?.firstSteps.map { "seen after \($0) of \(counted(session.balls, "ball"))" }
  }

  // MARK: Drawn

  var svg: String {
    var picture = SessionPicture(of: session, before: before)
    return picture.svg()
  }

  // MARK: Beside the last ones

  private var comparison: [String] {
    let labels = 16
    let columns =
      before.isEmpty
      ? ["this one"]
      : [
        "this one", "median of \(before.count)", "least", "greatest",
      ]
    let head =
      String(repeating: " ", count: labels) + columns.map { rightAligned($0, to: 14) }.joined()
    let rows = SessionFigure.all.compactMap { figure -> String? in
      let values = figure.values(of: before)
      let cells =
        [figure.value(session)]
        + (before.isEmpty ? [] : [SessionFigure.median(values), values.first, values.last])
      guard cells.contains(where: { $0 != nil }) else { return nil }
      return padded(figure.label, to: labels)
        + cells.map { rightAligned($0.map(figure.text) ?? "-", to: 14) }.joined()
    }
    let like = [session.trainingText ?? "", session.label, session.mode].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: ", ")
    let names = before.map { "\($0.name)" }.joined(separator: ", ")
    let note =
      before.isEmpty
      ? "No earlier session is like it\(like.isEmpty ? "" : " (\(like))")."
      : "The last \(before.count) like it\(like.isEmpty ? "" : " (\(like))"): \(names)."
    return [head] + rows + [""] + wrapped(note, to: Self.width)
  }

  // MARK: For programs

  private enum Key: CodingKey {
    case before
  }

  /// The medians of the last sessions.
  private var medians: [String: Double] {
    var medians = ["count": Double(before.count)]
    for figure in SessionFigure.all {
      medians[figure.name] = SessionFigure.median(figure.values(of: before))?.rounded(places: 3)
    }
    return medians
  }

  func encode(to encoder: any Encoder) throws {
    try session.encode(to: encoder)
    guard !before.isEmpty else { return }
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(medians, forKey: .before)
  }
}

extension Session {
  fileprivate var ballsText: String {
    counted(balls, "ball") + (outcomes.count > 0 ? ": \(outcomes.shortText)" : "")
  }
}
