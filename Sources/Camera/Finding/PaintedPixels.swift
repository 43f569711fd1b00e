import CourtMapping

/// Which pixels of the small picture may show a painted line.
struct PaintedPixels {
  /// The distance between two samples along a line, in metres; less than a pixel is wide, except
  /// just before the camera.
  private static let step = 0.02
  /// In pixels: how far from its middle a line is seen.
  private static let around = [-0.7, 0, 0.7]

  private let width: Int
  private var isPainted: [Bool]

  /// A picture without any painted pixel.
  init(width: Int, height: Int) {
    self.width = width
    isPainted = Array(repeating: false, count: width * height)
  }

  /// - Parameter scale: pixels of the calibration for one of the small picture.
  init(calibration: Calibration, scale: Double, width: Int, height: Int) {
    self.init(width: width, height: height)
    for line in PaintedLine.all {
      for (place, _) in line.samples(step: Self.step, ahead: 0) {
        guard let point = calibration.picture(place) else { continue }
        for across in Self.around {
          for down in Self.around {
            mark(column: point.u / scale + across, row: point.v / scale + down)
          }
        }
      }
    }
  }

  mutating func mark(column: Double, row: Double) {
    let height = isPainted.count / width
    guard column >= 0, row >= 0, column < Double(width), row < Double(height) else { return }
    isPainted[Int(row) * width + Int(column)] = true
  }

  /// Whether one of these pixels may show a line.
  func contains(_ indices: ClosedRange<Int>) -> Bool { isPainted[indices].contains(true) }
}
