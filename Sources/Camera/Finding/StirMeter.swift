/// Which pixels differ from the frame before: a person stirs, a bag doesn't.
final class StirMeter {
  /// A pixel in so many is enough to know the sensor's noise.
  private static let sampling = 37
  /// The threshold of stirring, in mean differences; noise alone is beyond it once in ten thousand
  /// pixels.
  private static let noiseFactor = 5
  private static let leastDifference = 8

  private let width: Int
  private let height: Int
  private let before: UnsafeMutablePointer<UInt8>
  private var picture: UnsafePointer<UInt8>?
  private var threshold = Int.max
  private var hasBefore = false

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    before = .allocate(capacity: width * height * 3)
    before.initialize(repeating: 0, count: width * height * 3)
  }

  deinit { before.deallocate() }

  /// Measures the noise between this frame and the one before.
  func begin(_ picture: UnsafePointer<UInt8>) {
    self.picture = picture
    guard hasBefore else { return }
    var (sum, count) = (0, 0)
    var index = 0
    while index < width * height {
      sum &+= difference(picture, index)
      count &+= 1
      index &+= Self.sampling
    }
    threshold = sum * Self.noiseFactor / max(count, 1) + Self.leastDifference
  }

  /// Keeps this frame for the next one.
  func end() {
    guard let picture else { return }
    before.update(from: picture, count: width * height * 3)
    hasBefore = true
    self.picture = nil
  }

  /// - Returns: nil if the frame before is unknown.
  func isStirring(_ pixel: Int) -> Bool? {
    guard let picture, hasBefore else { return nil }
    return difference(picture, pixel) > threshold
  }

  /// The share of the box's moving pixels that differ from the frame before, 0…1.
  func stirring(in box: PixelBox, _ mask: UnsafePointer<UInt8>) -> Double {
    guard let picture, hasBefore else { return 0 }
    var (moving, stirring) = (0, 0)
    for row in max(0, box.top)...min(height - 1, box.bottom) {
      var column = max(0, box.left)
      let last = min(width - 1, box.right)
      while column <= last {
        let index = row &* width &+ column
        if mask[index] == Background.Label.moving {
          moving &+= 1
          if difference(picture, index) > threshold { stirring &+= 1 }
        }
        column &+= 1
      }
    }
    return moving == 0 ? 0 : Double(stirring) / Double(moving)
  }

  private func difference(_ picture: UnsafePointer<UInt8>, _ pixel: Int) -> Int {
    let (now, then) = (picture + pixel &* 3, before + pixel &* 3)
    let blue = Int(now[0]) &- Int(then[0])
    let green = Int(now[1]) &- Int(then[1])
    let red = Int(now[2]) &- Int(then[2])
    return (blue < 0 ? 0 &- blue : blue) &+ (green < 0 ? 0 &- green : green)
      &+ (red < 0 ? 0 &- red : red)
  }
}
