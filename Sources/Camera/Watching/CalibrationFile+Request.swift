import Calibrations
import ControlProtocol
import CourtMapping
import Host

extension CalibrationFile {
  /// - Throws: why there is no such calibration.
  init(_ request: CalibrationRequest) throws {
    if let lines = request.lines, !(0...1).contains(lines) {
      throw ControlError.invalidParameters("lines is a share, from 0 to 1")
    }
    self.init(
      try Self.calibration(size: request.size, points: request.points, lens: request.lens),
      time: WallTime(),
      source: request.source,
      lines: request.lines,
      confirmed: request.confirmed
    )
  }

  /// - Throws: why an operator's points make no calibration.
  static func calibration(
    size: [Int],
    points: [String: [Double]],
    lens: Double?
  ) throws -> Calibration {
    guard size.count == 2, let size = PictureSize(width: size[0], height: size[1])
    else { throw ControlError.invalidParameters("the size is not [WIDTH, HEIGHT]") }
    var marks: [CourtMark: PicturePoint] = [:]
    for (name, place) in points {
      guard let mark = CourtMark(rawValue: name) else {
        throw ControlError.invalidParameters("there is no mark \(name)")
      }
      guard place.count == 2 else { throw ControlError.invalidParameters("\(name) is not [u, v]") }
      marks[mark] = PicturePoint(place[0], place[1])
    }
    return try calibration(marks: marks, size: size, lens: lens)
  }
}
