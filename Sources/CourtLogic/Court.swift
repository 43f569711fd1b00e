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
  /// A zone's size.
  package static let zoneWidth = width / Double(Zone.side)
  package static let zoneLength = length / Double(Zone.side)
  /// The widest apron that makes sense: no position farther away is ever accepted.
  package static let greatestApron = PlayerPosition.farthest

  /// How far behind the baseline and beside the sidelines a position still counts for the nearest
  /// zone. The net side has no apron.
  package let apron: Double

  /// A court whose lines are its limits.
  package init() {
    apron = 0
  }

  /// - Parameter apron: metres, 0…50.
  package init(apron: Double) throws(CourtError) {
    guard apron >= 0, apron <= Self.greatestApron else { throw CourtError(apron: apron) }
    self.apron = apron
  }

  /// The zone in which a position lies, its far edges included; nil when it is out of court.
  package func zone(at position: PlayerPosition) -> Zone? {
    zone(x: position.x, y: position.y)
  }

  package func zone(x: Double, y: Double) -> Zone? {
    // Compared before any conversion: `Int(-0.3)` is 0, and so would be the column of a ball boy.
    guard x >= -apron, x <= Self.width + apron, y >= 0, y <= Self.length + apron else { return nil }
    return Zone(
      row: Self.index(of: y, in: Self.length, each: Self.zoneLength),
      column: Self.index(of: x, in: Self.width, each: Self.zoneWidth)
    )
  }

  /// The field that holds `value`, or the nearest one when it stands on the apron.
  private static func index(of value: Double, in extent: Double, each size: Double) -> Int {
    let inside = min(max(value, 0), extent)
    return min(Int(inside / size), Zone.side - 1)
  }
}

/// An apron that is not a distance.
package struct CourtError: Error, CustomStringConvertible {
  package let apron: Double

  package var description: String {
    "an apron of \(apron) m is out of range: give metres from 0 to \(Int(Court.greatestApron))"
  }
}
