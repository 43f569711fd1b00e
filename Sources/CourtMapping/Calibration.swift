package import CourtLogic

/// How a camera's picture and the court's ground belong together, found from marks of the court in the
/// picture.
///
/// What fits isn't yet true: a court turned by half fits any number of points. Therefore a person has
/// to compare ``CameraPlace/sentence`` with the camera before a calibration is used.
package struct Calibration: Hashable, Sendable {
  /// With fewer points than this, a wrong one isn't noticed, or can't be named.
  package static let checkablePoints = 6
  /// The height of the camera's lens below which it is low, in metres.
  package static let lowCamera = 0.5
  /// By how much one point may miss, and all of them (the root of the mean square, for each degree
  /// of freedom), in shares of the picture's width. A person points to about 3 pixels of 1280.
  package static let greatestMiss = 0.008
  package static let greatestMeanMiss = 0.004
  /// A point that misses by so many times what is usual among them is wrong, if it is more than this
  /// share of the picture's width: far from a low camera two marks are few pixels apart.
  package static let greatestOutlier = (times: 5.0, share: 0.005)

  package let marks: [CourtMark: PicturePoint]
  package let size: PictureSize
  /// How far each mark is from where the calibration shows it, in pixels.
  package let residuals: [CourtMark: Double]
  /// Nil if no camera with square pixels shows the ground like that.
  package let camera: CameraPlace?
  private let mapping: GroundMapping

  /// - Parameter lens: the term of ``lens``, if it is known; otherwise it is estimated from eight
  ///   points on, and 0 with fewer.
  package init(
    marks: [CourtMark: PicturePoint],
    size: PictureSize,
    lens: Double? = nil
  ) throws(CalibrationProblem) {
    if let lens, !LensTerm.range.contains(lens) { throw .lens(lens) }
    let names = CourtMark.allCases.filter { marks[$0] != nil }
    let term = lens.map(LensTerm.init)
    try MarkLayout(names: names, places: names.compactMap { marks[$0] }, size: size).check()
    guard let mapping = Self.fit(names, marks, size, term),
      names.allSatisfy({ mapping.depth($0.point) > 0 })
    else { throw .crossed }
    guard !mapping.isMirrored(at: names[0].point) else { throw .mirrored }
    let residuals = Self.residuals(of: mapping, names, marks)
    if let worst = Self.excess(residuals, size, lensIsKnown: lens != nil) {
      let suspect = Self.suspect(names, marks, size, term)
      throw .contradicting(suspect, pixels: worst)
    }
    guard Self.playersHalf.allSatisfy({ mapping.depth($0) > 0 }) else { throw .behindCamera }
    self.marks = marks
    self.size = size
    self.mapping = mapping
    self.residuals = residuals
    camera = CameraPlace(mapping: mapping.toPicture, unit: mapping.unit)
  }

  private static let playersHalf = [
    CourtPoint(0, 0), CourtPoint(Court.width, 0), CourtPoint(0, Court.length),
    CourtPoint(Court.width, Court.length),
  ]

  private static func fit(
    _ names: [CourtMark],
    _ marks: [CourtMark: PicturePoint],
    _ size: PictureSize,
    _ lens: LensTerm?
  ) -> GroundMapping? {
    GroundMapping(
      ground: names.map(\.point),
      shown: names.compactMap { marks[$0] },
      size: size,
      lens: lens
    )
  }

  private static func residuals(
    of mapping: GroundMapping,
    _ names: [CourtMark],
    _ marks: [CourtMark: PicturePoint]
  ) -> [CourtMark: Double] {
    var residuals: [CourtMark: Double] = [:]
    for name in names {
      guard let given = marks[name] else { continue }
      let shown = mapping.picture(name.point)
      residuals[name] =
        shown.map { length(SIMD2($0.u - given.u, $0.v - given.v)) } ?? .infinity
    }
    return residuals
  }

  /// The worst miss, if the misses are more than a person's hand explains.
  private static func excess(
    _ residuals: [CourtMark: Double],
    _ size: PictureSize,
    lensIsKnown: Bool
  ) -> Double? {
    let worst = residuals.values.max() ?? 0
    let hasLens = !lensIsKnown && residuals.count >= PlaneFit.pointsForLens
    let freedom = 2 * residuals.count - (hasLens ? 9 : 8)
    let sum = residuals.values.reduce(0) { $0 + $1 * $1 }
    let mean = freedom > 0 ? (sum / Double(freedom)).squareRoot() : 0
    let width = Double(size.width)
    let usual = residuals.values.sorted()[residuals.count / 2]
    let isOutlier =
      worst > greatestOutlier.share * width && worst > greatestOutlier.times * usual
    let isTooMuch =
      isOutlier || !(worst <= greatestMiss * width && mean <= greatestMeanMiss * width)
    return isTooMuch ? worst : nil
  }

  /// The mark without which the others agree best.
  private static func suspect(
    _ names: [CourtMark],
    _ marks: [CourtMark: PicturePoint],
    _ size: PictureSize,
    _ lens: LensTerm?
  ) -> CourtMark? {
    guard names.count >= checkablePoints else { return nil }
    func missWithout(_ name: CourtMark) -> Double {
      let rest = names.filter { $0 != name }
      // Without the lens's term, which would explain the slip.
      guard let mapping = fit(rest, marks, size, lens ?? LensTerm.none) else { return .infinity }
      return residuals(of: mapping, rest, marks).values.reduce(0) { $0 + $1 * $1 }
    }
    return names.map { ($0, missWithout($0)) }.min { $0.1 < $1.1 }?.0
  }

  /// The calibration for the same picture made larger or smaller.
  package func scaled(to other: PictureSize) throws(CalibrationProblem) -> Calibration {
    guard other != size else { return self }
    let scale = (
      u: Double(other.width) / Double(size.width), v: Double(other.height) / Double(size.height)
    )
    return try Calibration(
      marks: marks.mapValues { PicturePoint($0.u * scale.u, $0.v * scale.v) },
      size: other,
      lens: lens
    )
  }

  /// The lens's term k: a perfect lens would show at r what is shown at d, r = d / (1 + k d²), both
  /// in halves of the picture's diagonal from its middle. Negative for a wide lens.
  package var lens: Double { mapping.lens.k }

  /// Where a foot stands that is seen at `point`; nil at and above the horizon.
  package func court(_ point: PicturePoint) -> CourtPoint? { mapping.court(point) }

  /// Where a place on the ground is seen; nil behind the camera.
  package func picture(_ point: CourtPoint) -> PicturePoint? { mapping.picture(point) }

  /// How far a place on the ground moves at most when its image moves by a pixel, in metres; nil
  /// behind the camera.
  package func metresPerPixel(at point: CourtPoint) -> Double? { mapping.metresPerPixel(at: point) }

  /// What a person compares with the camera: ``CameraPlace/sentence``.
  package var sentence: String {
    camera?.sentence ?? "where no usual camera can stand"
  }

  /// What ``lens`` can be.
  package static var lenses: ClosedRange<Double> { LensTerm.range }

  /// How many pixels high something upright is that stands there, from foot to head.
  ///
  /// - Parameter metres: its height.
  /// - Returns: nil if it is behind the camera, or the camera's place isn't known.
  package func pixelsHigh(_ metres: Double, at point: CourtPoint) -> Double? {
    guard let foot = picture(point),
      let straight = camera?.straight(point, above: metres),
      let head = mapping.shown(straight / mapping.unit)
    else { return nil }
    return length(SIMD2(head.u - foot.u, head.v - foot.v))
  }

  /// What a person has to look at although the points fit.
  package var warnings: [CalibrationWarning] {
    CalibrationWarning.allCases.filter { warning in
      switch warning {
      case .fewPoints: marks.count < Self.checkablePoints
      case .low: camera.map { $0.height < Self.lowCamera } ?? false
      case .tilted: camera?.isTilted ?? false
      case .unlikelyCamera: camera?.isUnlikely ?? true
      case .fewLines: false
      }
    }
  }

  /// How far off a position in the middle of a zone is at most if the foot is off by some pixels.
  ///
  /// - Parameter pixels: by which a foot is off.
  /// - Returns: metres; nil if the camera can't see the zone's ground.
  package func error(in zone: Zone, of court: Court, pixels: Double = 3) -> Double? {
    let (rows, columns) = (court.rowEdges, court.columnEdges)
    let middle = CourtPoint(
      (columns[zone.column] + columns[zone.column + 1]) / 2,
      (rows[zone.row] + rows[zone.row + 1]) / 2
    )
    return metresPerPixel(at: middle).map { $0 * pixels }
  }
}
