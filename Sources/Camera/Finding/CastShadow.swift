import Glibc

/// Takes the shadows of a hard sun from what moves.
///
/// A shadow in a clear sky is too dark for ``Background/Limits/darkest``: clothes may be as dark. But it
/// leaves the same share of light everywhere, on a white line as well as on the court beside it, while
/// clothes are as dark on both.
struct CastShadow {
  /// The shares of light that are told apart. Softer shadows are shades for ``Background`` already.
  private static let darkest: Float = 0.15
  private static let step: Float = 0.025
  private static let steps = 13
  /// How bright the empty court is, in steps of a quarter of an octave from this grey level on.
  private static let leastLight: Float = 30
  private static let lights = 13
  /// Lights that are so many steps apart are different ones: by a factor of 1.4.
  private static let apart = 2
  /// So many pixels of another light must have the same share, and so much of all that have it.
  private static let least = (pixels: Float(20), part: Float(0.01))
  /// By how much the same share may differ between lights, in each colour.
  private static let mostDifference: Float = 0.06
  /// How long they are remembered, in seconds.
  private static let memory: Float = 20
  /// How much darker than the shadow a pixel may be by noise, in shadows.
  private static let mostShadow: Float = 1.15

  /// Pixels of one share and one light.
  private struct Cell {
    var count: Float = 0
    var sum = SIMD3<Float>()

    var share: SIMD3<Float> { sum / count }

    func hasShare(of other: Cell) -> Bool {
      guard count > 1, other.count > 1 else { return false }
      let difference = share - other.share
      return (difference * difference).max() < mostDifference * mostDifference
    }

    static func += (one: inout Cell, other: Cell) {
      one.count += other.count
      one.sum += other.sum
    }
  }

  /// The share of the court's blue, green and red light that a shadow leaves; nil as long as none is
  /// known.
  private(set) var share: SIMD3<Float>?

  /// For each share of light, by the light of the empty court.
  private var cells = Array(repeating: Cell(), count: steps * lights)
  private var last: Double?

  /// Looks at all that differs from the empty court.
  mutating func learn(
    _ picture: UnsafePointer<UInt8>,
    _ background: Background,
    at time: Double
  ) {
    let passed = Float(min(max(time - (last ?? time), 0), 0.5))
    last = time
    let kept = 1 - passed / Self.memory
    for index in cells.indices {
      cells[index].count *= kept
      cells[index].sum *= kept
    }
    for index in 0..<background.width * background.height
    where background.mask[index] > Background.Label.faint {
      add(picture + index * 3, background.usual(index))
    }
    share = commonShare
  }

  /// Labels what has the shadow's share as shaded.
  func take(from background: Background, _ picture: UnsafePointer<UInt8>) {
    guard let share else { return }
    let lost = SIMD3<Float>(repeating: 1) - share
    for index in 0..<background.width * background.height
    where background.mask[index] == Background.Label.moving {
      let mode = background.usual(index)
      let usual = SIMD3(mode.blue, mode.green, mode.red)
      let full = lost * usual
      let dark = (full * full).sum()
      guard dark > 0 else { continue }
      let at = picture + index * 3
      let missing = usual - SIMD3(Float(Int(at[0])), Float(Int(at[1])), Float(Int(at[2])))
      // At its edge a pixel is in the shadow in part.
      let part = (missing * full).sum() / dark
      guard part > 0.5, part < Self.mostShadow else { continue }
      let off = missing - min(part, 1) * full
      let limits = background.limits
      if (off * off).sum() < limits.shade * mode.variance / 2 {
        background.mask[index] = Background.Label.shaded
      }
    }
  }

  private mutating func add(_ pixel: UnsafePointer<UInt8>, _ mode: Background.Mode) {
    let usual = SIMD3(mode.blue, mode.green, mode.red)
    let grey = usual.sum() / 3
    guard grey > Self.leastLight, usual.min() > Self.leastLight / 3 else { return }
    let colour = SIMD3(Float(Int(pixel[0])), Float(Int(pixel[1])), Float(Int(pixel[2])))
    let light = (colour * usual).sum() / (usual * usual).sum()
    let place = Int(((light - Self.darkest) / Self.step).rounded(.down))
    guard 0..<Self.steps ~= place else { return }
    let level = min(Int(4 * log2(grey / Self.leastLight)), Self.lights - 1)
    cells[place * Self.lights + level] += Cell(count: 1, sum: colour / usual)
  }

  /// The share that most pixels have whose light isn't the commonest one with that share.
  private var commonShare: SIMD3<Float>? {
    var (most, found): (Float, SIMD3<Float>?) = (0, nil)
    // Noise spreads a share over its neighbours.
    for place in 1..<Self.steps - 1 {
      let levels = (0..<Self.lights).map { level in
        (place - 1...place + 1).reduce(into: Cell()) { $0 += cells[$1 * Self.lights + level] }
      }
      for level in levels.indices where levels[level].count > Self.least.pixels {
        let others = levels.indices.reduce(0 as Float) { count, other in
          abs(other - level) >= Self.apart && levels[other].hasShare(of: levels[level])
            ? count + levels[other].count : count
        }
        let same = levels[level].count
        guard min(same, others) > most, others > Self.least.pixels, others > Self.least.part * same
        else { continue }
        most = min(same, others)
        found = levels[level].share
      }
    }
    return found
  }
}
