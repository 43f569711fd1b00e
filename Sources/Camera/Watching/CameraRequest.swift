import Calibrations
import CourtMapping
import Host

/// What an operator asks of the camera, as a line of JSON.
package enum CameraRequest: Sendable {
  case status
  case still
  case calibrate(CalibrationRequest)
}

extension CameraRequest: Codable {
  private enum Key: CodingKey { case method, params }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    switch try object.decode(String.self, forKey: .method) {
    case "status": self = .status
    case "still": self = .still
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

struct CameraRefusal: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension CalibrationFile {
  /// - Throws: why there is no such calibration.
  init(_ request: CalibrationRequest) throws {
    guard request.size.count == 2,
      let size = PictureSize(width: request.size[0], height: request.size[1])
    else { throw CameraRefusal("the size is not [WIDTH, HEIGHT]") }
    var marks: [CourtMark: PicturePoint] = [:]
    for (name, place) in request.points {
      guard let mark = CourtMark(rawValue: name) else {
        throw CameraRefusal("there is no mark \(name)")
      }
      guard place.count == 2 else { throw CameraRefusal("\(name) is not [u, v]") }
      marks[mark] = PicturePoint(place[0], place[1])
    }
    self.init(
      try CalibrationFile.calibration(marks: marks, size: size, lens: request.lens),
      time: WallTime(),
      source: request.source,
      lines: request.lines,
      confirmed: request.confirmed
    )
  }
}
