package import CourtLogic
import Programs
package import Terminal

/// The court from above, the net at the top: zones, apron and the player.
///
/// Equal zones have the scale's size, others are to scale, but with room for their names. A margin
/// around them shows, to scale, a player outside the court; a player beyond the margin is drawn on
/// its edge.
package struct CourtDrawing {
  private static let leastZoneWidth = 5
  private static let leastZoneHeight = 2

  private let court: Court
  private let scale: CourtScale
  /// The columns of the zones' lines from the court's left one on, and their rows.
  private let along: [Int]
  private let across: [Int]
  private var rows: [[StyledText.Cell]]

  /// The drawing's lines, as many and as wide as the scale says.
  ///
  /// - Parameters:
  ///   - target: marked as the next ball's.
  ///   - counts: of balls, written into their zones.
  package static func lines(
    court: Court,
    lit: Zone?,
    player: PlayerPosition?,
    target: Zone? = nil,
    counts: [Zone: Int] = [:],
    scale: CourtScale = .smallest
  ) -> [StyledText] {
    var drawing = CourtDrawing(court, scale)
    drawing.drawApron(court.apron)
    drawing.drawGrid()
    drawing.drawZones(lit: lit)
    for (zone, count) in counts { drawing.write("×\(count)", .boldGreen, in: zone) }
    if let target { drawing.write("◎", .boldGreen, in: target) }
    if let player {
      drawing.put(
        "●",
        lit == nil ? .boldRed : .boldGreen,
        row: drawing.row(of: player.y),
        column: drawing.column(of: player.x)
      )
    }
    return drawing.rows.map(StyledText.init(cells:))
  }

  /// The drawing without styles, and without spaces and lines at its end.
  package static func text(
    court: Court,
    lit: Zone? = nil,
    player: PlayerPosition? = nil,
    counts: [Zone: Int] = [:]
  ) -> [String] {
    let lines = lines(court: court, lit: lit, player: player, counts: counts).map { line in
      line.cells[...(line.cells.lastIndex { $0.character != " " } ?? -1)].map(\.character)
    }
    return lines[...(lines.lastIndex { !$0.isEmpty } ?? -1)].map { String($0) }
  }

  /// Where positions lie, as ``text(court:lit:player:counts:)``: a place has more of them the darker it is.
  package static func text(court: Court, positions: some Sequence<PlayerPosition>) -> [String] {
    var drawing = CourtDrawing(court, .smallest)
    drawing.drawGrid()
    var counts: [[Int]] = Array(
      repeating: Array(repeating: 0, count: drawing.scale.width),
      count: drawing.scale.height + 1
    )
    for position in positions {
      let row = position.y < 0 ? 0 : 1 + drawing.row(of: position.y)
      counts[row][drawing.column(of: position.x)] += 1
    }
    let most = counts.lazy.joined().max() ?? 0
    func mark(_ count: Int) -> Character {
      count * 3 > most * 2 ? "█" : count * 3 > most ? "▓" : "░"
    }
    for (row, counts) in counts.enumerated().dropFirst() {
      for (column, count) in counts.enumerated() where count > 0 {
        drawing.put(mark(count), .plain, row: row - 1, column: column)
      }
    }
    // What is on the other side of the net has a line of its own above it.
    let beyond = String(counts[0].map { $0 > 0 ? mark($0) : " " })
    let lines = drawing.rows.map { String($0.map(\.character)) }
    let all = (counts[0].contains { $0 > 0 } ? [beyond] : []) + lines
    return all.map { $0.withoutTrailingBlanks }.reversed().drop { $0.isEmpty }.reversed()
  }

  private init(_ court: Court, _ scale: CourtScale) {
    self.court = court
    self.scale = scale
    along = court.columnEdges.onScale(of: scale.courtWidth - 1, least: Self.leastZoneWidth)
    across = court.rowEdges.onScale(of: scale.courtHeight - 1, least: Self.leastZoneHeight)
    let blank = StyledText.Cell(character: " ", style: .plain)
    rows = Array(repeating: Array(repeating: blank, count: scale.width), count: scale.height)
  }

  private mutating func put(_ character: Character, _ style: TextStyle, row: Int, column: Int) {
    guard rows.indices.contains(row), rows[row].indices.contains(column) else { return }
    rows[row][column] = StyledText.Cell(character: character, style: style)
  }

  private mutating func drawGrid() {
    for row in 0..<scale.courtHeight {
      for column in 0..<scale.courtWidth {
        let (line, upright) = (across.firstIndex(of: row), along.firstIndex(of: column))
        guard line != nil || upright != nil else { continue }
        let character: Character =
          if row == 0 {
            "═"
          } else if let line, let upright {
            corner(row: line, column: upright)
          } else {
            line != nil ? "─" : "│"
          }
        put(
          character,
          row == 0 ? .bold : .dim,
          row: row,
          column: scale.sideMargin + column
        )
      }
    }
    for (index, character) in " net ".enumerated() {
      put(character, .bold, row: 0, column: scale.width / 2 - 2 + index)
    }
  }

  private func corner(row: Int, column: Int) -> Character {
    switch (row == Zone.side, column) {
    case (true, 0): "└"
    case (true, Zone.side): "┘"
    case (true, _): "┴"
    case (false, 0): "├"
    case (false, Zone.side): "┤"
    case (false, _): "┼"
    }
  }

  private mutating func drawZones(lit: Zone?) {
    for zone in Zone.allCases {
      let top = across[zone.row] + 1
      let left = scale.sideMargin + along[zone.column] + 1
      if zone == lit {
        for row in top..<across[zone.row + 1] {
          for column in left..<scale.sideMargin + along[zone.column + 1] {
            put("░", .green, row: row, column: column)
          }
        }
      }
      for (index, character) in zone.description.enumerated() {
        put(character, zone == lit ? .bold : .dim, row: top, column: left + 1 + index)
      }
    }
  }

  /// Writes as much of the text as fits, below the zone's name, or behind it in a low zone.
  private mutating func write(_ text: String, _ style: TextStyle, in zone: Zone) {
    let isLow = across[zone.row + 1] - across[zone.row] < CourtScale.smallest.zoneHeight
    let row = across[zone.row] + (isLow ? 1 : 2)
    let left = scale.sideMargin + along[zone.column] + (isLow ? 6 : 2)
    let end = scale.sideMargin + along[zone.column + 1]
    for (column, character) in zip(left..<max(left, end), text) {
      put(character, style, row: row, column: column)
    }
  }

  /// The apron's edge, as far as the drawing reaches.
  private mutating func drawApron(_ apron: Double) {
    guard apron > 0 else { return }
    let left = column(of: -apron)
    let right = column(of: Court.width + apron)
    let bottom = row(of: Court.length + apron)
    for row in 0...bottom {
      put("·", .dim, row: row, column: left)
      put("·", .dim, row: row, column: right)
    }
    for column in stride(from: left, through: right, by: 2) {
      put("·", .dim, row: bottom, column: column)
    }
  }

  /// The column of a point: inside its zone's frame, or on the margin to scale.
  private func column(of x: Double) -> Int {
    if x < 0 {
      return max(0, scale.sideMargin - 1 - Int(-x / Court.zoneWidth * Double(scale.zoneWidth)))
    }
    if x > Court.width {
      let beyond = Int((x - Court.width) / Court.zoneWidth * Double(scale.zoneWidth))
      return min(scale.width - 1, scale.sideMargin + scale.courtWidth + beyond)
    }
    return scale.sideMargin + inside(court.column(at: x), x, of: court.columnEdges, lines: along)
  }

  private func row(of y: Double) -> Int {
    if y > Court.length {
      let beyond = Int((y - Court.length) / Court.zoneLength * Double(scale.zoneHeight))
      return min(scale.height - 1, scale.courtHeight + beyond)
    }
    return inside(court.row(at: y), max(0, y), of: court.rowEdges, lines: across)
  }

  /// The character for a distance in this row or column of zones, never on one of its lines.
  private func inside(_ zone: Int, _ distance: Double, of edges: [Double], lines: [Int]) -> Int {
    let size = lines[zone + 1] - lines[zone]
    let part = (distance - edges[zone]) / (edges[zone + 1] - edges[zone])
    return lines[zone] + 1 + min(Int(part * Double(size - 1)), size - 2)
  }
}

extension String {
  fileprivate var withoutTrailingBlanks: String {
    lastIndex { $0 != " " }.map { String(self[...$0]) } ?? ""
  }
}

extension [Double] {
  /// The edges on a scale of whole numbers up to `end`, at least `least` apart.
  fileprivate func onScale(of end: Int, least: Int) -> [Int] {
    var scaled = map { Int(($0 / self[count - 1] * Double(end)).rounded()) }
    for index in indices.dropFirst() {
      scaled[index] = Swift.max(scaled[index], scaled[index - 1] + least)
    }
    scaled[count - 1] = end
    for index in indices.dropLast().reversed() {
      scaled[index] = Swift.min(scaled[index], scaled[index + 1] - least)
    }
    return scaled
  }
}
