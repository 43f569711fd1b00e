/// Learns quickly what was hidden by a person while the court was learnt.
///
/// A ghost is where the person stood: the court is seen there now, which doesn't stir, and has its
/// edges in the background. A person who stands there has them in the picture.
struct GhostHealing {
  /// A part of a row that moves, but doesn't stir.
  private struct Stretch {
    let row: Int
    let left: Int
    let right: Int
    /// 1 if the edges of its ends are in the background, -1 if they are in the picture, 0 if in
    /// neither.
    let vote: Int

    func isIn(_ box: PixelBox) -> Bool {
      box.top <= row && box.bottom >= row && box.left <= right && box.right >= left
    }
  }

  /// In seconds from the first frame on: what moved while the court was learnt is healed so long.
  private static let longest = 10.0
  /// In seconds: so long a pixel must not have stirred.
  private static let leastStill = 0.25
  /// A row is asked together with so many above and below it: a single one may be at a court's line.
  private static let around = 3
  /// More ghosts than persons among these rows.
  private static let leastMajority = 2
  /// In pixels: a court's line that a person hides is not wider.
  private static let line = 2
  /// What isn't believed for so many frames may be such a line all the same.
  private static let leastSightings = 30
  /// More stretches are no person's.
  private static let most = 256

  private let width: Int
  /// For each pixel, since when it has moved and not stirred, in seconds.
  private var since: [Double]
  /// For each pixel, the last frame in which it moved.
  private var moved: [Int]
  /// Whether it moved while the court was learnt.
  private var suspect: [Bool]
  private var frame = 0
  private var began = 0.0
  private var stretches: [Stretch] = []

  init(width: Int, height: Int) {
    self.width = width
    since = Array(repeating: 0, count: width * height)
    suspect = Array(repeating: false, count: width * height)
    moved = Array(repeating: -1, count: width * height)
    stretches.reserveCapacity(Self.most)
  }

  /// - Parameter runs: of moving pixels, row by row.
  mutating func heal(
    _ runs: [BlobScanner.Run],
    _ background: Background,
    _ picture: UnsafePointer<UInt8>,
    _ stirs: StirMeter,
    beside track: Track?,
    at time: Double
  ) {
    if frame == 0 { began = time }
    frame += 1
    stretches.removeAll(keepingCapacity: true)
    for run in runs {
      var left: Int?
      for column in run.left...run.right {
        if isStill(run.row * width + column, stirs, at: time) {
          left = left ?? column
        } else if let start = left {
          add(run.row, start, column - 1, background, picture)
          left = nil
        }
      }
      if let left { add(run.row, left, run.right, background, picture) }
    }
    for stretch in stretches where stretch.vote >= 0 {
      guard let least = least(stretch, track, at: time), isOutvoting(stretch, by: least) else {
        continue
      }
      background.learn(stretch.row, stretch.left...stretch.right, picture)
    }
  }

  /// A ghost may not be healed yet.
  func isHealing(at time: Double) -> Bool { time - began < Self.longest }

  /// How much of the box moved while the court was learnt, 0…1.
  func suspects(in box: PixelBox) -> Double {
    guard let box = box.clipped(width: width, height: suspect.count / width) else { return 0 }
    var count = 0
    for row in box.top...box.bottom {
      for column in box.left...box.right where suspect[row * width + column] { count += 1 }
    }
    return Double(count) / Double(box.width * box.height)
  }

  /// How large the majority has to be; nil where a person is.
  private func least(_ stretch: Stretch, _ track: Track?, at time: Double) -> Int? {
    if let track, !track.isBelieved, stretch.isIn(track.box),
      stretch.right - stretch.left >= Self.line || track.sightings > Self.leastSightings
    {
      return 0
    }
    let isSuspect = (stretch.left...stretch.right).contains { suspect[stretch.row * width + $0] }
    return isSuspect && isHealing(at: time) ? Self.leastMajority : nil
  }

  private mutating func isStill(_ index: Int, _ stirs: StirMeter, at time: Double) -> Bool {
    if moved[index] != frame - 1 || stirs.isStirring(index) != false { since[index] = time }
    moved[index] = frame
    if time - began < PlayerFinder.learning { suspect[index] = true }
    return time - since[index] > Self.leastStill
  }

  private mutating func add(
    _ row: Int,
    _ left: Int,
    _ right: Int,
    _ background: Background,
    _ picture: UnsafePointer<UInt8>
  ) {
    guard stretches.count < Self.most else { return }
    let vote = background.isGhost(row, left...right, in: picture).map { $0 ? 1 : -1 } ?? 0
    stretches.append(Stretch(row: row, left: left, right: right, vote: vote))
  }

  /// Of the stretches around it, more are a ghost's.
  private func isOutvoting(_ stretch: Stretch, by least: Int) -> Bool {
    var majority = 0
    for other in stretches where abs(other.row - stretch.row) <= Self.around {
      guard other.left <= stretch.right, other.right >= stretch.left else { continue }
      majority += other.vote
    }
    return majority >= least
  }
}
