package import CourtLogic
package import CourtMapping

/// Turns a feeder's picture points into positions, with the calibration of the camera that it looks
/// through.
struct PictureMapping: Hashable, Sendable {
  /// How much the sides' ratio of a feeder's picture may differ from the calibration's: decoders
  /// round a side to whole blocks.
  private static let shapeTolerance = 0.01

  /// Whether a picture without a size has the calibration's: a file is of one camera.
  let isOfFile: Bool
  /// Nil: picture points are refused.
  var calibration: Calibration?
  /// The size of the feeder's picture, once it has said so.
  private var size: PictureSize?
  /// ``Calibration/digest`` of the feeder's calibration; nil if it has not said so.
  private var digest: String?

  /// - Throws: if there is no calibration that fits; the size counts all the same.
  mutating func declare(
    _ size: PictureSize,
    calibration digest: String?
  ) throws(PositionLineError) {
    self.size = size
    self.digest = digest
    _ = try scale()
  }

  init(isOfFile: Bool = false) { self.isOfFile = isOfFile }

  mutating func forgetSize() { size = nil }

  /// - Parameters:
  ///   - u: pixels from the left side.
  ///   - v: pixels from the upper side.
  func position(
    u: Double,
    v: Double,
    confidence: Double?
  ) throws(PositionLineError) -> PlayerPosition {
    let (calibration, scale) = try scale()
    return try calibration.position(u: u, v: v, scale: scale, confidence: confidence)
  }

  /// From the feeder's pixels to the calibration's.
  private func scale() throws(PositionLineError) -> (Calibration, PicturePoint) {
    guard size != nil || isOfFile else { throw .noSize }
    guard let calibration else { throw .noCalibration }
    let size = size ?? calibration.size
    guard digest == nil || digest == calibration.digest else { throw .otherCalibration }
    let scale = PicturePoint(
      Double(calibration.size.width) / Double(size.width),
      Double(calibration.size.height) / Double(size.height)
    )
    guard abs(scale.u / scale.v - 1) <= Self.shapeTolerance else {
      throw .otherShape(size, calibrated: calibration.size)
    }
    return (calibration, scale)
  }
}

extension Calibration {
  /// Where the player stands whose foot is seen there.
  ///
  /// - Parameters:
  ///   - u: pixels from the left side.
  ///   - v: pixels from the upper side.
  ///   - scale: from these pixels to the calibration's.
  package func position(
    u: Double,
    v: Double,
    scale: PicturePoint = PicturePoint(1, 1),
    confidence: Double? = nil
  ) throws(PositionLineError) -> PlayerPosition {
    let point = PicturePoint(u * scale.u, v * scale.v)
    guard (0...Double(size.width)).contains(point.u), (0...Double(size.height)).contains(point.v)
    else { throw .notInPicture(u: u, v: v) }
    guard let place = court(point), abs(place.x) <= PlayerPosition.farthest,
      abs(place.y) <= PlayerPosition.farthest
    else { throw .notOnTheGround(u: u, v: v) }
    do {
      return try PlayerPosition(x: place.x, y: place.y, confidence: confidence)
    } catch {
      throw .position(error)
    }
  }
}
