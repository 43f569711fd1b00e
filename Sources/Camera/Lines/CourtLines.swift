package import CourtMapping

/// The painted lines of the court, as a calibration expects them in a picture.
///
/// They move the points of a calibration to where the lines really are, and show whether the camera
/// still stands where it was calibrated.
package struct CourtLines {
  /// Between two samples, in metres.
  private static let step = 0.4
  /// From a sample to the next place on its line, in metres.
  private static let ahead = 0.1
  /// In pixels of a picture 1280 wide: how far a line may be from where it is expected, round by round.
  private static let reaches = [14.0, 10, 7, 5, 3.5, 3.5]
  /// A line that is seen is within so many pixels, of the same picture.
  private static let near = 2.5
  /// In pixels: how wide a line must be to be seen. Nothing is said of those that are too far away.
  private static let leastWidth = 0.3
  /// Fewer places say nothing about a court, or about its lines of one direction.
  private static let leastSamples = (all: 25, direction: 10)

  /// A place on a line, and one a little further on the same line: across the court, and along it.
  private static let directions = [true, false].map { isAcross in
    PaintedLine.all.filter { $0.isAcross == isAcross }
      .flatMap { $0.samples(step: step, ahead: ahead) }
  }

  private let picture: GreyPicture
  /// Pixels of this picture for one of a picture 1280 wide.
  private let scale: Double

  package init(_ picture: GreyPicture) {
    self.picture = picture
    scale = Double(picture.width) / 1280
  }

  /// The share of the lines that is seen where the calibration expects them, 0…1: of those across the
  /// court or of those along it, whichever is less. A camera that was moved along the court sees the
  /// lines along it, three of four, where they were.
  ///
  /// - Returns: nil if too little of the court is in the picture, or the picture has another size.
  package func share(seenBy calibration: Calibration) -> Double? {
    guard calibration.size.width == picture.width, calibration.size.height == picture.height
    else { return nil }
    let directions = Self.directions.map { $0.compactMap { normal(of: $0, calibration) } }
    guard directions.map(\.count).reduce(0, +) >= Self.leastSamples.all else { return nil }
    let visible = directions.map { $0.filter { $0.width >= Self.leastWidth } }
    return visible.filter { $0.count >= Self.leastSamples.direction }.map { normals in
      let seen = normals.count { ridge(across: $0, reach: Self.near * scale) != nil }
      return Double(seen) / Double(normals.count)
    }.min()
  }

  /// The calibration with its points on the painted lines.
  ///
  /// - Returns: nil if the lines aren't seen well enough.
  package func snap(_ calibration: Calibration) -> Calibration? {
    var calibration = calibration
    for reach in Self.reaches {
      let sightings = Self.directions.joined().compactMap { sample -> Calibration.Sighting? in
        guard let normal = normal(of: sample, calibration),
          let found = ridge(across: normal, reach: reach * scale)
        else { return nil }
        return Calibration.Sighting(sample.place, at: found)
      }
      let tolerance = max(1.5, reach / 4) * scale
      guard let better = calibration.refined(by: sightings, tolerance: tolerance) else {
        return nil
      }
      calibration = better
    }
    return calibration
  }

  /// A place in the picture, and the direction across the line there, one pixel long.
  private struct Normal {
    let u: Double
    let v: Double
    let du: Double
    let dv: Double
    /// The line's width, in pixels.
    let width: Double
  }

  /// Nil beside the picture.
  private func normal(
    of sample: (place: CourtPoint, next: CourtPoint),
    _ calibration: Calibration
  ) -> Normal? {
    let margin = 16 * scale
    let (here, ahead) = (sample.place, sample.next)
    let turn = PaintedLine.width / Self.ahead
    let side = CourtPoint(here.x - (ahead.y - here.y) * turn, here.y + (ahead.x - here.x) * turn)
    guard let place = calibration.picture(here), let next = calibration.picture(ahead),
      let beside = calibration.picture(side),
      place.u >= margin, place.v >= margin, place.u < Double(picture.width) - margin,
      place.v < Double(picture.height) - margin
    else { return nil }
    let (along, down) = (next.u - place.u, next.v - place.v)
    let length = (along * along + down * down).squareRoot()
    guard length > 1e-6 else { return nil }
    let (du, dv) = (-down / length, along / length)
    let width = abs((beside.u - place.u) * du + (beside.v - place.v) * dv)
    return Normal(u: place.u, v: place.v, du: du, dv: dv, width: width)
  }

  /// The middle of the nearest bright ridge across a line.
  private func ridge(across normal: Normal, reach: Double) -> PicturePoint? {
    let steps = Int(reach * 2)
    var nearest: Int?
    for distance in 0...steps {
      if isRidge(normal, distance) {
        nearest = distance
      } else if isRidge(normal, -distance) {
        nearest = -distance
      }
      if nearest != nil { break }
    }
    guard let nearest else { return nil }
    var (first, last) = (nearest, nearest)
    while first > -steps, isRidge(normal, first - 1) { first -= 1 }
    while last < steps, isRidge(normal, last + 1) { last += 1 }
    let middle = Double(first + last) / 4
    return PicturePoint(normal.u + normal.du * middle, normal.v + normal.dv * middle)
  }

  /// Whether it is brighter there than on both sides, 4 or 8 pixels away in a picture 1280 wide.
  ///
  /// - Parameter half: in halves of a pixel across the line.
  private func isRidge(_ normal: Normal, _ half: Int) -> Bool {
    let offset = Double(half) / 2
    let here = brightness(normal, offset)
    return [4.0, 8].contains { side in
      let sides = max(
        brightness(normal, offset - side * scale),
        brightness(normal, offset + side * scale)
      )
      return here - sides > 15
    }
  }

  private func brightness(_ normal: Normal, _ offset: Double) -> Int {
    let u = Int((normal.u + normal.du * offset).rounded(.down))
    let v = Int((normal.v + normal.dv * offset).rounded(.down))
    guard u >= 0, v >= 0, u < picture.width, v < picture.height else { return 255 }
    return Int(picture.bytes[v * picture.width + u])
  }
}
