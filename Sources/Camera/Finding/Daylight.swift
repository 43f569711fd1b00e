import CourtLogic
import CourtMapping

/// How bright the court is.
struct Daylight {
  /// The step of the samples' grid, in metres.
  private static let step = 0.5

  private let pixels: [Int]

  init(calibration: Calibration, scale: Double, width: Int, height: Int) {
    var pixels: [Int] = []
    for row in 0...Int(Court.length / Self.step) {
      for column in 0...Int(Court.width / Self.step) {
        let court = CourtPoint(Double(column) * Self.step, Double(row) * Self.step)
        guard let point = calibration.picture(court) else { continue }
        let (u, v) = (point.u / scale, point.v / scale)
        guard u >= 0, v >= 0, u < Double(width), v < Double(height) else { continue }
        pixels.append(Int(v) * width + Int(u))
      }
    }
    self.pixels = pixels
  }

  /// The mean of the court's pixels, 0…255.
  func brightness(_ picture: UnsafePointer<UInt8>) -> Double {
    var sum = 0
    for pixel in pixels {
      let at = picture + pixel * 3
      sum += Int(at[0]) + Int(at[1]) + Int(at[2])
    }
    return pixels.isEmpty ? 0 : Double(sum) / Double(pixels.count * 3)
  }
}
