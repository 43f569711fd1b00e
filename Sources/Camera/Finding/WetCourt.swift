import CourtLogic
import CourtMapping
import Glibc

/// Recognises a wet court by the player's reflection: below the feet the picture differs from the
/// background as it does above them, upside down and weaker.
///
/// A shadow does not: it is the court's colour made darker, so it has nothing of the player's shirt,
/// skin and shoes. What a shadow can do is left out on both sides of the mirror. On real footage of dry
/// courts the soft shadows of many lamps, made softer by blur or compression, resembled the player
/// before that: likeness was up to 0.31 in the first second, and is up to 0.09 now.
struct WetCourt {
  /// How a picture below a line resembles the one above it.
  struct Likeness: Hashable, Sendable {
    /// Pearson's, -1…1.
    var correlation: Double
    /// How much weaker the lower one is.
    var strength: Double
  }

  /// Pairs of pixels above and below a line, both without the background.
  private struct Comparison {
    /// The least variance of the person's colours: less has no pattern to compare.
    private static let leastVariance: Float = 200

    private(set) var count: Float = 0
    private var sums = (above: SIMD3<Float>(), below: SIMD3<Float>())
    private var squares = (above: Float(0), below: Float(0), both: Float(0))

    mutating func add(_ above: SIMD3<Float>, _ below: SIMD3<Float>) {
      count += 1
      sums.above += above
      sums.below += below
      squares.above += (above * above).sum()
      squares.below += (below * below).sum()
      squares.both += (above * below).sum()
    }

    /// How alike both sides are without each channel's mean: of a shadow nothing is left.
    var likeness: Likeness? {
      let above = Double(squares.above - (sums.above * sums.above).sum() / count)
      let below = Double(squares.below - (sums.below * sums.below).sum() / count)
      let both = Double(squares.both - (sums.above * sums.below).sum() / count)
      guard above > Double(Self.leastVariance * count), below > 0 else { return nil }
      return Likeness(
        correlation: both / (above * below).squareRoot(),
        strength: both / above
      )
    }
  }

  /// How far from the expected foot line the mirror's line is looked for, in heights of a person.
  private static let search = 0.15
  /// How much of the person is compared with its mirror, in heights of a person.
  private static let compared = 0.7
  /// Fewer pixels than that are too few to compare.
  private static let leastPixels = 40
  /// Where a mirror's strength is. A wet court's is 0.1 to 0.4.
  private static let strengths = 0.06...0.6
  /// The greatest ratio of the lower picture's variation to the upper one's: more are parts of the
  /// body.
  private static let greatestRatio = 0.4
  /// What a dry court has by chance three times in four.
  private static let byChance = 0.25
  /// The greatest share of a blob that may have moved while the court was learnt: more may be a
  /// ghost. Noise has 0.2.
  private static let mostSuspects = 0.3
  /// How long likeness is averaged, in seconds.
  private static let memory = 8.0
  /// The least time of sight, in seconds; less says nothing.
  private static let leastSeen = 0.2
  /// In seconds: the likeness of a shorter time may be by chance.
  private static let leastDoubted = 4.0
  /// From this mean likeness on the court is wet, the less the longer it is averaged, until
  /// `settled` seconds; and below the other dry again. Measured by tools/bench/sight --real: dry courts have
  /// up to 0.09 in the first second, 0.07 in three seconds, and 0.04 in eight.
  private static let limits = (first: 0.24, wet: 0.085, settled: 6.0, dry: 0.06)

  private(set) var likeness = 0.0
  private var last = -Double.infinity
  private var seen = 0.0
  private(set) var isWet = false
  /// In doubt it is told. Dry courts have less likeness after so many seconds.
  var mayBeWet: Bool { !isWet && seen > Self.leastDoubted && likeness > Self.limits.dry }

  private let calibration: Calibration
  private let scale: Double
  private let width: Int
  private let height: Int

  init(calibration: Calibration, scale: Double, width: Int, height: Int) {
    self.calibration = calibration
    self.scale = scale
    self.width = width
    self.height = height
  }

  mutating func measure(
    _ blobs: [Blob],
    _ picture: UnsafePointer<UInt8>,
    _ background: Background,
    beside healing: GhostHealing,
    at time: Double
  ) {
    var best: Likeness?
    // The reflection may be a blob of its own, and the larger one.
    for blob in blobs where blob.box.height > 8 && blob.area > Self.leastPixels {
      // A ghost below the player looks like a reflection.
      if healing.isHealing(at: time), healing.suspects(in: blob.box) > Self.mostSuspects {
        continue
      }
      guard let one = bestLikeness(blob, picture, background) else { continue }
      if best == nil || isMirror(one) && one.correlation > best?.correlation ?? 0 { best = one }
    }
    guard let best else { return }
    let value = isMirror(best) ? max(best.correlation - Self.byChance, 0) : 0
    let passed = min(max(time - last, 0.01), 0.2)
    seen += passed
    likeness += (value - likeness) * passed / min(seen, Self.memory)
    last = time
    let limits = Self.limits
    let limit = limits.wet + (limits.first - limits.wet) * max(0, 1 - seen / limits.settled)
    if seen > Self.leastSeen, likeness > limit { isWet = true }
    if likeness < Self.limits.dry { isWet = false }
  }

  private func isMirror(_ likeness: Likeness) -> Bool {
    Self.strengths.contains(likeness.strength)
      && likeness.strength < Self.greatestRatio * likeness.correlation
  }

  private func bestLikeness(
    _ blob: Blob,
    _ picture: UnsafePointer<UInt8>,
    _ background: Background
  ) -> Likeness? {
    guard let line = footLine(of: blob) else { return nil }
    var best: Likeness?
    let reach = max(1, Int(Self.search * line.high))
    for row in line.row - reach...line.row + reach {
      guard let one = likeness(blob.box, row, Int(Self.compared * line.high), picture, background)
      else { continue }
      if let found = best, found.correlation >= one.correlation { continue }
      best = one
    }
    return best
  }

  /// Where a person's feet are whose head is the blob's upper end: from the height there.
  private func footLine(of blob: Blob) -> (row: Int, high: Double)? {
    let middle = Double(blob.box.left + blob.box.right + 1) / 2
    for row in blob.box.top + 6..<height {
      let point = PicturePoint(middle * scale, Double(row) * scale)
      guard let court = calibration.court(point),
        let high = calibration.pixelsHigh(CandidateJudge.height, at: court)
      else { continue }
      if Double(row - blob.box.top) >= high / scale { return (row, high / scale) }
    }
    return nil
  }

  private func likeness(
    _ box: PixelBox,
    _ row: Int,
    _ rows: Int,
    _ picture: UnsafePointer<UInt8>,
    _ background: Background
  ) -> Likeness? {
    var (body, outline) = (Comparison(), Comparison())
    var light: Float = 0
    for off in rows / 7...rows {
      let (upper, lower) = (row - off, row + off - 1)
      guard upper >= 0, max(upper, lower) < height else { break }
      for column in box.left...box.right {
        let index = upper * width + column
        let isBody = background.mask[index] == Background.Label.moving
        let above = isBody ? difference(picture, background, index) : SIMD3()
        let below = difference(picture, background, lower * width + column)
        outline.add(above, below)
        guard isBody else { continue }
        body.add(above, below)
        light += above.sum()
      }
    }
    guard body.count >= Float(Self.leastPixels) else { return nil }
    // White clothes have no pattern but their outline, which no shadow makes lighter.
    guard light > 0, let one = outline.likeness, isMirror(one),
      one.correlation > body.likeness?.correlation ?? 0
    else { return body.likeness }
    return one
  }

  /// How a pixel differs from the usual one, but for what a shadow does: less of the same colour.
  private func difference(
    _ picture: UnsafePointer<UInt8>,
    _ background: Background,
    _ index: Int
  ) -> SIMD3<Float> {
    let at = picture + index * 3
    let mode = background.usual(index)
    let usual = SIMD3(mode.blue, mode.green, mode.red)
    let whole = SIMD3(Float(Int(at[0])), Float(Int(at[1])), Float(Int(at[2]))) - usual
    let light = (whole * usual).sum()
    return light < 0 ? whole - usual * (light / (usual * usual).sum()) : whole
  }
}
