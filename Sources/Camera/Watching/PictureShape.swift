import CourtMapping

extension PictureSize {
  /// Width to height, such as 16:9.
  var shape: String {
    let divisor = Self.greatestDivisor(width, height)
    let (across, down) = (width / divisor, height / divisor)
    // People say 16:10, and no ratio of large numbers.
    if (across, down) == (8, 5) { return "16:10" }
    guard max(across, down) <= 32 else {
      let hundredths = (width * 100 + height / 2) / height
      let rest = hundredths % 100
      return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest):1"
    }
    return "\(across):\(down)"
  }

  private static func greatestDivisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : greatestDivisor(other, one % other)
  }

  /// Why frames can't be used with a calibration of this size, and the two ways out.
  ///
  /// - Parameter offered: other sizes that the camera has.
  func isOtherShape(_ frames: PictureSize, _ offered: [PictureSize]) -> String {
    let fitting = offered.filter { $0.hasShape(of: self) && $0.width >= 320 }
    let nearest = fitting.min { abs($0.width - frames.width) < abs($1.width - frames.width) }
    let change =
      if let nearest {
        "set camera.size to one of that shape, such as [\(nearest.width), \(nearest.height)]"
      } else if offered.isEmpty {
        "give frames of that shape"
      } else {
        "use a camera that has that shape"
      }
    return """
      the picture, \(frames) (\(frames.shape)), has another shape than the calibration's, \(self) \
      (\(shape)): \(change), or calibrate again with this picture
      """
  }
}
