import CourtLogic

/// How large a court is drawn.
package struct CourtScale: Hashable, Sendable {
  /// The columns and rows of a zone where all are equal, with one of its lines.
  let zoneWidth: Int
  let zoneHeight: Int

  /// Fits a terminal of 80 by 24 with a panel beside it.
  package static let smallest = CourtScale(zoneWidth: 6, zoneHeight: 3)

  /// - Returns: the largest scale for this room; nil where the smallest doesn't fit.
  static func fitting(width: Int, height: Int) -> CourtScale? {
    guard width >= smallest.width, height >= smallest.height else { return nil }
    let (widest, highest) = ((width - 1) / 7, (height - 2) / 5)
    // From twice as wide as a true court's to a true one's, where a character is twice as high as wide.
    let zoneHeight = min(highest, widest * 18 / 25)
    return CourtScale(zoneWidth: min(widest, 2 * zoneHeight), zoneHeight: zoneHeight)
  }

  var courtWidth: Int { Zone.side * zoneWidth + 1 }
  var courtHeight: Int { Zone.side * zoneHeight + 1 }
  /// Room for an apron of 3 m.
  var sideMargin: Int { zoneWidth * 3 / 2 }
  var backMargin: Int { zoneHeight + 1 }
  package var width: Int { courtWidth + 2 * sideMargin }
  package var height: Int { courtHeight + backMargin }
}
