import CourtLogic
import Host

/// The court from above, the net at the top: zones, apron and the player.
///
/// Zones are 6 columns by 3 rows. A margin around them shows, to scale, a player outside the court;
/// a player beyond the margin is drawn on its edge.
struct CourtDrawing {
  private static let zoneWidth = 6
  private static let zoneHeight = 3
  private static let sideMargin = 9
  private static let backMargin = 4
  private static let courtWidth = Zone.side * zoneWidth + 1
  private static let courtHeight = Zone.side * zoneHeight + 1

  static let width = courtWidth + 2 * sideMargin
  static let height = courtHeight + backMargin

  private var rows = Array(
    repeating: Array(repeating: StyledText.Cell(character: " ", style: .plain), count: width),
    count: height
  )

  /// The drawing's lines, ``height`` of them, ``width`` columns each.
  static func lines(court: Court, player: LiveViewState.Player?) -> [StyledText] {
    var drawing = CourtDrawing()
    drawing.drawApron(court.apron)
    drawing.drawGrid()
    drawing.drawZones(lit: player?.zone)
    if let player {
      drawing.put(
        "●",
        player.zone == nil ? .boldRed : .boldGreen,
        row: row(of: player.position.y),
        column: column(of: player.position.x)
      )
    }
    return drawing.rows.map(StyledText.init(cells:))
  }

  private mutating func put(_ character: Character, _ style: TextStyle, row: Int, column: Int) {
    guard rows.indices.contains(row), rows[row].indices.contains(column) else { return }
    rows[row][column] = StyledText.Cell(character: character, style: style)
  }

  private mutating func drawGrid() {
    for row in 0..<Self.courtHeight {
      for column in 0..<Self.courtWidth {
        let across = row % Self.zoneHeight == 0
        let along = column % Self.zoneWidth == 0
        guard across || along else { continue }
        let character: Character =
          row == 0
          ? "═"
          : across && along
            ? corner(row: row / Self.zoneHeight, column: column / Self.zoneWidth)
            : across ? "─" : "│"
        put(
          character,
          row == 0 ? .bold : .dim,
          row: row,
          column: Self.sideMargin + column
        )
      }
    }
    for (index, character) in " net ".enumerated() {
      put(character, .bold, row: 0, column: Self.width / 2 - 2 + index)
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
      let top = zone.row * Self.zoneHeight + 1
      let left = Self.sideMargin + zone.column * Self.zoneWidth + 1
      if zone == lit {
        for row in top..<top + Self.zoneHeight - 1 {
          for column in left..<left + Self.zoneWidth - 1 {
            put("░", .green, row: row, column: column)
          }
        }
      }
      for (index, character) in zone.description.enumerated() {
        put(character, zone == lit ? .bold : .dim, row: top, column: left + 1 + index)
      }
    }
  }

  /// The apron's edge, as far as the drawing reaches.
  private mutating func drawApron(_ apron: Double) {
    guard apron > 0 else { return }
    let left = Self.column(of: -apron)
    let right = Self.column(of: Court.width + apron)
    let bottom = Self.row(of: Court.length + apron)
    for row in 0...bottom {
      put("·", .dim, row: row, column: left)
      put("·", .dim, row: row, column: right)
    }
    for column in stride(from: left, through: right, by: 2) {
      put("·", .dim, row: bottom, column: column)
    }
  }

  /// The column of a point: inside its zone's frame, or on the margin to scale.
  private static func column(of x: Double) -> Int {
    if x < 0 {
      return max(0, sideMargin - 1 - Int(-x / Court.zoneWidth * Double(zoneWidth)))
    }
    if x > Court.width {
      let beyond = Int((x - Court.width) / Court.zoneWidth * Double(zoneWidth))
      return min(width - 1, sideMargin + courtWidth + beyond)
    }
    return sideMargin + inside(x / Court.zoneWidth, size: zoneWidth)
  }

  private static func row(of y: Double) -> Int {
    if y > Court.length {
      let beyond = Int((y - Court.length) / Court.zoneLength * Double(zoneHeight))
      return min(height - 1, courtHeight + beyond)
    }
    return inside(max(0, y) / Court.zoneLength, size: zoneHeight)
  }

  /// The character at `zones` whole and partial zones from the court's edge, never on a grid line.
  private static func inside(_ zones: Double, size: Int) -> Int {
    let zone = min(Int(zones), Zone.side - 1)
    let within = min(Int((zones - Double(zone)) * Double(size - 1)), size - 2)
    return zone * size + 1 + within
  }
}
