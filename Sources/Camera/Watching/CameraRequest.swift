import Calibrations
import CourtMapping
import Host

/// What an operator asks of the camera, as a line of JSON.
package enum CameraRequest: Sendable {
  case status
  case still
  case check(CheckRequest)
  case calibrate(CalibrationRequest)
}

extension CameraRequest: Codable {
  private enum Key: CodingKey { case method, params }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    switch try object.decode(String.self, forKey: .method) {
    case "status": self = .status
    case "still": self = .still
    case "check": self = .check(try object.decode(CheckRequest.self, forKey: .params))
    case "calibrate":
      self = .calibrate(try object.decode(CalibrationRequest.self, forKey: .params))
    case let method: throw CameraRefusal("there is no method \(method)")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    switch self {
    case .status: try object.encode("status", forKey: .method)
    case .still: try object.encode("still", forKey: .method)
    case .check(let request):
      try object.encode("check", forKey: .method)
      try object.encode(request, forKey: .params)
    case .calibrate(let request):
      try object.encode("calibrate", forKey: .method)
      try object.encode(request, forKey: .params)
    }
  }
}

/// So many bytes of JPEG follow.
package struct StillRecord: Codable, Hashable, Sendable {
  package var bytes: Int
}

package struct CameraRefusal: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension CalibrationFile {
  /// - Throws: why there is no such calibration.
  init(_ request: CalibrationRequest) throws {
    if let lines = request.lines, !(0...1).contains(lines) {
      throw CameraRefusal("lines is a share, from 0 to 1")
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
    else { throw CameraRefusal("the size is not [WIDTH, HEIGHT]") }
    var marks: [CourtMark: PicturePoint] = [:]
    for (name, place) in points {
      guard let mark = CourtMark(rawValue: name) else {
        throw CameraRefusal("there is no mark \(name)")
      }
      guard place.count == 2 else { throw CameraRefusal("\(name) is not [u, v]") }
      marks[mark] = PicturePoint(place[0], place[1])
    }
    return try calibration(marks: marks, size: size, lens: lens)
  }
}
