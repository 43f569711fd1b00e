import CourtLogic
import CourtMapping
import Glibc

/// A painted line of the court, along its middle.
struct PaintedLine {
  /// A line's width, in metres.
  static let width = 0.05

  /// All lines of a court, both halves. They are measured to their outer edges, and 5 cm wide; a
  /// baseline may have 10. Source: ITF, Rules of Tennis, rule 1.
  static let all: [PaintedLine] = {
    let half = width / 2
    let (left, right) = (half, Court.width - half)
    let (outerLeft, outerRight) = (left - CourtMark.alley, right + CourtMark.alley)
    let (service, base) = (CourtMark.serviceLine - half, Court.length - 2 * half)
    let middle = Court.width / 2
    let ends =
      [base, -base].map { (CourtPoint(outerLeft, $0), CourtPoint(outerRight, $0)) }
      + [service, -service].map { (CourtPoint(left, $0), CourtPoint(right, $0)) }
      + [outerLeft, left, right, outerRight].map { (CourtPoint($0, -base), CourtPoint($0, base)) }
      + [(CourtPoint(middle, -service), CourtPoint(middle, service))]
    return ends.map { PaintedLine(from: $0, to: $1) }
  }()

  private let from: CourtPoint
  private let to: CourtPoint

  /// Across the court, not along it.
  var isAcross: Bool { from.y == to.y }

  /// The line's length, in metres.
  private var length: Double { hypot(to.x - from.x, to.y - from.y) }

  /// Places between its ends.
  ///
  /// - Parameter step: about so far apart, in metres.
  /// - Returns: each place with one `ahead` of it, in metres.
  func samples(step: Double, ahead: Double) -> [(place: CourtPoint, next: CourtPoint)] {
    let count = Int(length / step)
    return (1..<count).map { index in
      let share = Double(index) / Double(count)
      return (place(share), place(share + ahead / length))
    }
  }

  private func place(_ share: Double) -> CourtPoint {
    CourtPoint(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
  }
}
