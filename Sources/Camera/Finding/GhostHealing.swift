/// Learns quickly what was hidden by a person while the court was learnt.
///
/// A ghost is where the person stood: the court is seen there now, which doesn't stir, looks as the
/// court around it, and has a person's edges in the background. A person who stands there has them in
/// the picture. What is left of a ghost, its shadow and the lines below it too, would hang together with
/// the player, who seemed to stand there.
struct GhostHealing {
  /// A part of a row that moves, but doesn't stir.
  private struct Stretch {
    let row: Int
    let left: Int
    let right: Int
    /// 1 if the edges of its ends are in the background, -1 if they are in the picture, 0 if in
    /// neither.
    let vote: Int
    /// No person stands there.
    var isFree = false

    func isIn(_ box: PixelBox) -> Bool {
      box.top <= row && box.bottom >= row && box.left <= right && box.right >= left
    }
  }

  /// In seconds from the first frame on: so long what moved while the court was learnt may be a ghost.
  private static let longest = 10.0
  /// In seconds: so long a pixel must not have stirred.
  private static let leastStill = 0.25
  /// A row is asked together with so many above and below it: a single one may be at a court's line.
  private static let around = 3
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
    // Where nothing was hidden, what the background knows is right.
    guard isHealing(at: time) || track?.origin != nil else { return }
    for index in stretches.indices where stretches[index].vote >= 0 {
      let stretch = stretches[index]
      let majority = majority(around: stretch)
      if isDoubtful(stretch, track), majority >= 0 {
        background.learn(stretch.row, stretch.left...stretch.right, picture)
      } else {
        stretches[index].isFree = majority >= (isPlayers(stretch, track) ? 1 : 0)
      }
    }
    // From each side inwards.
    for stretch in stretches where stretch.isFree {
      for column in stretch.left...stretch.right {
        background.learnAsAround(stretch.row * width + column, picture)
      }
    }
    for stretch in stretches.reversed() where stretch.isFree {
      for column in (stretch.left...stretch.right).reversed() {
        background.learnAsAround(stretch.row * width + column, picture)
      }
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

  /// It is a part of what may be a ghost as a whole.
  private func isDoubtful(_ stretch: Stretch, _ track: Track?) -> Bool {
    guard let track, !track.isBelieved, stretch.isIn(track.box) else { return false }
    return stretch.right - stretch.left >= Self.line || track.sightings > Self.leastSightings
  }

  /// A player who stands there, in clothes of the court's colour, may look as the court around.
  private func isPlayers(_ stretch: Stretch, _ track: Track?) -> Bool {
    guard let track else { return false }
    return track.isBelieved && stretch.isIn(track.box)
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

  /// How many more of the stretches around this one are a ghost's than a person's.
  private func majority(around stretch: Stretch) -> Int {
    var majority = 0
    for other in stretches where abs(other.row - stretch.row) <= Self.around {
      guard other.left <= stretch.right, other.right >= stretch.left else { continue }
      majority += other.vote
    }
    return majority
  }
}
