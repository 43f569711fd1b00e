import CourtLogic
import Host
import JSON

/// A session on a page: the court with where the player was and the balls of each zone, and the
/// figures beside the last ones. For a screen in the sun, and for black and white paper.
package struct SessionPicture {
  private static let width = 840.0
  private static let margin = 30.0
  /// Pixels of a metre.
  private static let scale = 40.0
  /// What is drawn of the ground, in metres; whole cells.
  private static let ground = (x: -2.5...11.0, y: -0.5...16.5)
  /// The width of the doubles alley beside each sideline, in metres.
  private static let alley = 1.37
  private static let serviceLine = 6.40
  /// From seldom to often: one hue, darker and darker.
  private static let heat: [(Double, Double, Double)] = [
    (222, 235, 247), (158, 202, 225), (66, 146, 198), (8, 81, 156), (8, 38, 84),
  ]

  private let session: Session
  private let before: [Session]
  private var page: SVGPage
  /// Where the court begins.
  private var top = 0.0

  /// - Parameter before: the last sessions like it.
  package init(of session: Session, before: [Session]) {
    self.session = session
    self.before = before
    page = SVGPage(title: "Training session \(session.name)")
  }

  package mutating func svg() -> String {
    top = drawHead()
    drawHeat()
    drawLines()
    drawBalls()
    drawFigures()
    let bottom = top + (Self.ground.y.upperBound - Self.ground.y.lowerBound) * Self.scale
    let end = drawFoot(from: bottom)
    return page.file(width: Self.width, height: end + 10)
  }

  private func x(_ metres: Double) -> Double {
    Self.margin + (metres - Self.ground.x.lowerBound) * Self.scale
  }

  private func y(_ metres: Double) -> Double {
    top + (metres - Self.ground.y.lowerBound) * Self.scale
  }

  // MARK: Head

  private mutating func drawHead() -> Double {
    let room = Self.width - 2 * Self.margin
    let training = session.trainingText ?? "Training"
    var y = page.paragraph(training, x: Self.margin, y: 20, size: 36, room: room, isBold: true)
    if let label = session.label {
      y = page.paragraph(label, x: Self.margin, y: y, size: 24, room: room)
    }
    let mode = session.mode.map { $0 == "SIM" ? "SIM: simulated" : $0 }
    let words = ["Session \(session.name)", String(session.begin.localDate.dropLast(3)), mode]
    page.text(
      words.compactMap(\.self).joined(separator: " · "),
      x: Self.margin,
      y: y + 20,
      size: 20,
      room: room,
      isBold: session.mode == "SIM",
      fill: SVGPage.quiet
    )
    return y + 46
  }

  // MARK: The court

  private mutating func drawHeat() {
    let cells = drawnCells
    let most = cells.map(\.seconds).max() ?? 0
    guard most > 0 else { return }
    for cell in cells {
      page.rectangle(
        x: x(cell.x),
        y: y(cell.y),
        width: Movement.Cell.size * Self.scale,
        height: Movement.Cell.size * Self.scale,
        fill: Self.color(cell.seconds / most)
      )
    }
  }

  private var drawnCells: [Movement.Cell] {
    (session.movement?.stood ?? []).filter { cell in
      let size = Movement.Cell.size
      return Self.ground.x.lowerBound <= cell.x && cell.x + size <= Self.ground.x.upperBound
        && Self.ground.y.lowerBound <= cell.y && cell.y + size <= Self.ground.y.upperBound
    }
  }

  /// - Parameter share: of the greatest time, 0…1. Roots, so that a short time shows, too.
  private static func color(_ share: Double) -> String {
    let place = min(max(share, 0), 1).squareRoot() * Double(heat.count - 1)
    let index = min(Int(place), heat.count - 2)
    let rest = place - Double(index)
    let (light, dark) = (heat[index], heat[index + 1])
    let parts = [(light.0, dark.0), (light.1, dark.1), (light.2, dark.2)].map {
      let part = Int(($0.0 + ($0.1 - $0.0) * rest).rounded())
      return rightAligned(String(part, radix: 16), to: 2, with: "0")
    }
    return "#" + parts.joined()
  }

  private mutating func drawLines() {
    let (width, length, alley) = (Court.width, Court.length, Self.alley)
    func line(_ points: (Double, Double)...) -> [(x: Double, y: Double)] {
      points.map { (x($0.0), y($0.1)) }
    }
    page.lines(
      [
        line((-alley, 0), (-alley, length), (0, length)),
        line((width, length), (width + alley, length), (width + alley, 0)),
      ],
      width: 1
    )
    page.lines(
      [
        line((0, 0), (0, length), (width, length), (width, 0)),
        line((0, Self.serviceLine), (width, Self.serviceLine)),
        line((width / 2, 0), (width / 2, Self.serviceLine)),
        line((width / 2, length), (width / 2, length - 0.2)),
      ],
      width: 3
    )
    page.lines([line((-alley - 0.6, 0), (width + alley + 0.6, 0))], width: 6, dash: "10 4")
    page.text("net", x: x(-alley - 0.6), y: y(0) - 8, size: 15, room: 40)
  }

  private mutating func drawBalls() {
    let most = Double(session.targets.max() ?? 0)
    for zone in Zone.allCases where session.targets[zone.id] > 0 {
      let count = session.targets[zone.id]
      let (rows, columns) = (session.court.rowEdges, session.court.columnEdges)
      let place = session.court.middle(of: zone)
      let middle = (x: x(place.x), y: y(place.y))
      // The more balls, the larger, as far as the zone has room; as small as can be read.
      let height = max(
        15,
        min(
          30 + 14 * (Double(count) / most).squareRoot(),
          (rows[zone.row + 1] - rows[zone.row]) * Self.scale - 6
        )
      )
      let room = max(24, (columns[zone.column + 1] - columns[zone.column]) * Self.scale - 12)
      let width = min(room, max(height, Double("\(count)".count) * height * 0.45 + 16))
      page.rectangle(
        x: middle.x - width / 2,
        y: middle.y - height / 2,
        width: width,
        height: height,
        fill: SVGPage.paper,
        stroke: 2.5,
        radius: height / 2
      )
      page.text(
        "\(count)",
        x: middle.x,
        y: middle.y,
        size: height * 0.64,
        room: width - 12,
        anchor: .middle,
        isBold: true,
        isCentred: true
      )
    }
  }

  // MARK: Figures

  private mutating func drawFigures() {
    let left = x(Self.ground.x.upperBound) + 28
    let room = Self.width - Self.margin - left
    var y = top + 16
    for figure in SessionFigure.all {
      guard let value = figure.value(session) else { continue }
      page.text(
        figure.label,
        x: left,
        y: y,
        size: 17,
        room: room,
        fill: SVGPage.quiet
      )
      page.text(
        figure.text(value),
        x: left,
        y: y + 36,
        size: 34,
        room: room,
        isBold: true
      )
      if let median = SessionFigure.median(figure.values(of: before)) {
        page.text(
          "last \(before.count): \(figure.text(median))",
          x: left,
          y: y + 60,
          size: 17,
          room: room
        )
      }
      y += 104
    }
  }

  // MARK: Foot

  private mutating func drawFoot(from bottom: Double) -> Double {
    let room = Self.width - 2 * Self.margin
    var y = bottom + 30
    let cells = drawnCells
    if let most = cells.map(\.seconds).max() {
      let (steps, width) = (20, 8.0)
      for step in 0..<steps {
        page.rectangle(
          x: Self.margin + Double(step) * width,
          y: y - 14,
          width: width,
          height: 16,
          fill: Self.color(Double(step + 1) / Double(steps))
        )
      }
      page.text(
        "0 to \(most.fixed(most < 10 ? 1 : 0)) s in a square of 0.5 m: where the player was",
        x: Self.margin + Double(steps) * width + 12,
        y: y,
        size: 17,
        room: room - Double(steps) * width - 12
      )
      y += 12
    }
    for line in notes(cells) {
      y = page.paragraph(line, x: Self.margin, y: y, size: 17, room: room)
    }
    return y
  }

  private func notes(_ drawn: [Movement.Cell]) -> [String] {
    var notes: [String] = []
    if session.balls > 0 {
      let out = session.outOfCourt > 0 ? ", \(session.outOfCourt) for a player out of court" : ""
      notes.append("In rings: balls for each zone\(out). Balls: \(session.outcomes.shortText).")
    }
    if let movement = session.movement {
      let share = min(100, movement.seen / max(session.live, 0.001) * 100)
      let out = movement.stood.reduce(0) { $0 + $1.seconds } - drawn.reduce(0) { $0 + $1.seconds }
      notes.append(
        "The player was seen for \(share.fixed(0)) % of the time in which balls could fly"
          + (out >= 0.5 ? ", \(out.clockText) of it outside of this picture." : ".")
      )
    }
    if let steps = session.movement?.firstSteps {
      notes.append("A first step was seen after \(steps) of \(counted(session.balls, "ball")).")
    }
    if let progress = session.progress {
      notes.append("It came to \(progress.text).")
    }
    notes.append("Ended: \(session.ending.reason).")
    notes += session.notes.map { "Note: \($0)." }
    if !before.isEmpty {
      let names = before.map { "\($0.name)" }.joined(separator: ", ")
      notes.append("Last \(before.count): the median of sessions \(names).")
    }
    return notes
  }
}
