import Calibrations
import ControlProtocol
package import CourtMapping

/// A person's points on their way to a calibration, compared with a picture of the court.
package struct CalibrationDraft: Sendable {
  package let calibration: Calibration
  /// The share of the court's lines that was seen, 0…1; nil without a picture, or if it has too
  /// little of the court.
  package let lines: Double?

  /// - Parameters:
  ///   - rough: what the points say.
  ///   - picture: of the same shape as the calibration's; nil: none to compare with.
  ///   - snaps: whether the points move to the painted lines.
  /// - Throws: why the picture and the points don't belong together.
  package init(_ rough: Calibration, in picture: GreyPicture?, snaps: Bool) throws {
    guard let picture else {
      (calibration, lines) = (rough, nil)
      return
    }
    guard let size = PictureSize(width: picture.width, height: picture.height),
      size.hasShape(of: rough.size)
    else {
      throw ControlError.refused(
        "otherShape",
        "the camera's picture, \(picture.width) × \(picture.height), has another shape than the "
          + "points', \(rough.size)"
      )
    }
    let court = CourtLines(picture)
    if snaps {
      guard let snapped = court.snap(try rough.scaled(to: size)) else {
        throw ControlError.refused(
          "tooFewLines",
          "too few painted lines are near these points: move the points, or don't snap them"
        )
      }
      calibration = try CalibrationFile.calibration(
        marks: try snapped.scaled(to: rough.size).marks,
        size: rough.size,
        lens: snapped.lens
      )
    } else {
      calibration = rough
    }
    lines = court.share(seenBy: try calibration.scaled(to: size))
  }
}
