/// Learns quickly, after the start, what was hidden by a person while the empty court was learnt.
///
/// A ghost is where the person stood: the court is seen there now, which doesn't stir, and has its
/// edges in the background.
struct GhostHealing {
  /// In seconds from the first frame on.
  static let longest = 10.0
  /// In seconds: so long a pixel must not have stirred.
  private static let leastStill: Float = 0.25

  private let width: Int
  private let height: Int
  /// For each pixel that moved while the court was learnt, when it last stirred or looked as usual,
  /// in seconds from the first frame on. No other can be a ghost's.
  private var stirred: [Float]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    stirred = Array(repeating: .infinity, count: width * height)
  }

  mutating func heal(
    _ background: Background,
    _ picture: UnsafePointer<UInt8>,
    _ stirs: StirMeter,
    at time: Float
  ) {
    let isLearning = time < Float(PlayerFinder.learning)
    for row in 0..<height {
      var left: Int?
      for column in 0..<width {
        let index = row * width + column
        let isMoving = background.mask[index] == Background.Label.moving
        let isSuspect = stirred[index] < .infinity || isLearning && isMoving
        if isSuspect, !isMoving || stirred[index] == .infinity || stirs.isStirring(index) != false {
          stirred[index] = time
        }
        if time - stirred[index] > Self.leastStill {
          left = left ?? column
        } else if let start = left {
          background.heal(row, start...column - 1, picture)
          left = nil
        }
      }
    }
  }
}
