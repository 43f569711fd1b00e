import Calibrations
import CourtMapping
import Glibc
import Scenes

/// A scene as a film of JPEGs, with the calibration of its camera.
enum Film {
  static let usage = "film SETTING SEED SECONDS WIDTHxHEIGHT FOLDER"

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Writes `film.mjpeg` and `court.yaml`, which says that a person has confirmed it.
  static func write(_ arguments: [String]) throws {
    let sides = arguments.count == 5 ? arguments[3].split(separator: "x") : []
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      let setting = Setting(rawValue: arguments[0]), let seed = UInt64(arguments[1]),
      let seconds = Int(arguments[2]), let size = PictureSize(width: width, height: height)
    else { throw Failure(description: "usage: \(usage)") }
    let scene = Scene(setting, seed: seed, size: size)
    // As exact as a person points.
    let marks = scene.camera.marks(in: size, error: 1.5, seed: seed)
    let calibration = try CalibrationFile.calibration(marks: marks, size: size)
    let court = CalibrationFile(calibration, confirmed: calibration.sentence)
    try court.write(to: arguments[4] + "/court.yaml")
    let path = arguments[4] + "/film.mjpeg"
    guard let film = fopen(path, "w") else { throw Failure(description: "can't write \(path)") }
    defer { fclose(film) }
    var bytes = [UInt8](repeating: 0, count: width * height * 3)
    for _ in 0..<seconds * Int(Scene.rate) {
      _ = scene.next(into: &bytes)
      guard let frame = JPEG.encode(bytes, width: width, height: height),
        fwrite(frame, 1, frame.count, film) == frame.count
      else { throw Failure(description: "can't write \(path)") }
    }
    guard fflush(film) == 0 else { throw Failure(description: "can't write \(path)") }
  }
}
