extension Calibration {
  /// A place on the ground, and where a picture shows it.
  package struct Sighting: Sendable {
    package let ground: CourtPoint
    package let shown: PicturePoint

    package init(_ ground: CourtPoint, at shown: PicturePoint) {
      self.ground = ground
      self.shown = shown
    }
  }

  /// So many places fix a mapping well even if some are wrong.
  private static let leastSightings = 15

  /// The calibration with its marks moved to where many other places say that they are.
  ///
  /// - Parameter tolerance: a place that is off by more pixels counts as wrong.
  /// - Returns: nil if too few places agree.
  package func refined(by sightings: [Sighting], tolerance: Double) -> Calibration? {
    var agreed = sightings
    var found: GroundMapping?
    // It settles after two or three rounds, or nearly.
    for _ in 0..<6 {
      guard agreed.count >= Self.leastSightings,
        let mapping = GroundMapping(
          ground: agreed.map(\.ground),
          shown: agreed.map(\.shown),
          size: size,
          lens: nil
        )
      else { return nil }
      found = mapping
      let fitting = sightings.filter { sighting in
        guard let shown = mapping.picture(sighting.ground) else { return false }
        let (du, dv) = (shown.u - sighting.shown.u, shown.v - sighting.shown.v)
        return (du * du + dv * dv).squareRoot() <= tolerance
      }
      guard fitting.count != agreed.count else { break }
      agreed = fitting
    }
    return found.flatMap(moved)
  }

  private func moved(by mapping: GroundMapping) -> Calibration? {
    var places: [CourtMark: PicturePoint] = [:]
    for mark in marks.keys { places[mark] = mapping.picture(mark.point) }
    guard places.count == marks.count else { return nil }
    return try? Calibration(marks: places, size: size, lens: mapping.lens.k)
  }
}
