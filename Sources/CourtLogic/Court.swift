/// The player's half of a singles tennis court, in metres.
///
/// The origin is the net's left corner as the player's camera sees it; x runs to the right, y from
/// the net to the baseline.
///
///     (0, 0) ───────── net ───────── (8.23, 0)
///       │  0-0  │  0-1  │  0-2  │  0-3  │
///       │  1-0  │  1-1  │  1-2  │  1-3  │
///       ├╌╌╌╌╌ service line, y 6.40 ╌╌╌╌┤
///       │  2-0  │  2-1  │  2-2  │  2-3  │
///       │  3-0  │  3-1  │  3-2  │  3-3  │
///     (0, 11.885) ─── baseline ─── (8.23, 11.885)
package struct Court: Hashable, Sendable {
  /// From sideline to sideline.
  package static let width = 8.23
  /// From the net to the baseline.
  package static let length = 11.885
  /// A zone's size, unless it has edges of its own.
  package static let zoneWidth = width / Double(Zone.side)
  package static let zoneLength = length / Double(Zone.side)
  /// The widest apron that makes sense: no position farther away is ever accepted.
  package static let greatestApron = PlayerPosition.farthest

  /// How far behind the baseline and beside the sidelines a position still counts for the nearest
  /// zone. The net side has no apron.
  package let apron: Double
  /// Nil: rows, and columns, of equal size.
  package let rows: ZoneEdges?
  package let columns: ZoneEdges?

  /// A court whose lines are its limits, with equal zones.
  package init() {
    apron = 0
    rows = nil
    columns = nil
  }

  /// - Parameters:
  ///   - apron: metres, 0…50.
  ///   - rows: the edges of ``ZoneEdges``; nil: equal rows.
  package init(
    apron: Double,
    rows: [Double]? = nil,
    columns: [Double]? = nil
  ) throws(CourtError) {
    guard apron >= 0, apron <= Self.greatestApron else { throw .apron(apron) }
    self.apron = apron
    do throws(ZoneEdgesError) {
      self.rows = if let rows { try ZoneEdges(rows, of: .rows) } else { nil }
      self.columns = if let columns { try ZoneEdges(columns, of: .columns) } else { nil }
    } catch {
      throw .edges(error)
    }
  }

  /// The zone in which a position lies, its far edges included; nil when it is out of court.
  package func zone(at position: PlayerPosition) -> Zone? {
    zone(x: position.x, y: position.y)
  }

  package func zone(x: Double, y: Double) -> Zone? {
    // Compared before any conversion: `Int(-0.3)` is 0, and so would be the column of a ball boy.
    guard x >= -apron, x <= Self.width + apron, y >= 0, y <= Self.length + apron else { return nil }
    return Zone(row: row(at: y), column: column(at: x))
  }

  /// The five edges of the rows, in metres from the net.
  package var rowEdges: [Double] { rows?.metres ?? Self.equalEdges(to: Self.length) }

  /// The five edges of the columns, in metres from the left sideline.
  package var columnEdges: [Double] { columns?.metres ?? Self.equalEdges(to: Self.width) }

  private static func equalEdges(to end: Double) -> [Double] {
    (0...Zone.side).map { end * Double($0) / Double(Zone.side) }
  }

  /// A zone's middle, in metres.
  package func middle(of zone: Zone) -> PlayerPosition {
    func middle(_ edges: [Double], _ index: Int) -> Double { (edges[index] + edges[index + 1]) / 2 }
    do {
      return try PlayerPosition(
        x: middle(columnEdges, zone.column),
        y: middle(rowEdges, zone.row)
      )
    } catch { preconditionFailure("a zone's middle is on the court: \(error)") }
  }

  /// The row at this distance from the net, or the nearest one.
  package func row(at y: Double) -> Int {
    rows?.index(of: y) ?? Self.index(of: y, in: Self.length, each: Self.zoneLength)
  }

  /// The column at this distance from the left sideline, or the nearest one.
  package func column(at x: Double) -> Int {
    columns?.index(of: x) ?? Self.index(of: x, in: Self.width, each: Self.zoneWidth)
  }

  /// The field that holds `value`, or the nearest one when it stands on the apron.
  private static func index(of value: Double, in extent: Double, each size: Double) -> Int {
    let inside = min(max(value, 0), extent)
    return min(Int(inside / size), Zone.side - 1)
  }
}

/// Why there is no such court.
package enum CourtError: Error, CustomStringConvertible {
  case apron(Double)
  case edges(ZoneEdgesError)

  package var description: String {
    switch self {
    case .apron(let apron):
      "an apron of \(apron) m is out of range: give metres from 0 to \(Int(Court.greatestApron))"
    case .edges(let error): "\(error)"
    }
  }
}
