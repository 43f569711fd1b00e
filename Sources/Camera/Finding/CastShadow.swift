import Glibc

/// Takes the shadows of a hard sun from what moves.
///
/// A shadow in a clear sky is too dark for ``Background/Limits/darkest``: clothes may be as dark. But it
/// leaves the same share of light everywhere, on a white line as well as on the court beside it, while
/// clothes are as dark on both. And it is no redder than the court.
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
  private static let least = (pixels: Float(12), part: Float(0.01))
  /// By how much the same share may differ between lights, in each colour.
  private static let mostDifference: Float = 0.06
  /// How long they are remembered, in seconds.
  private static let memory: Float = 20
  /// The share is learnt so often, in seconds.
  private static let interval = 0.2
  /// How much of a pixel is in the shadow: less is a shade for ``Background``, more is darker than noise
  /// makes it.
  private static let parts: ClosedRange<Float> = 0.5...1.15
  /// The bit that only the labels shaded and moving have, for eight pixels.
  private static let unusual: UInt64 = 0x0202_0202_0202_0202

  /// Pixels of one share and one light.
  private struct Cell {
    var count: Float = 0
    var sum = SIMD3<Float>()

    var share: SIMD3<Float> { sum / count }

    /// A shadow has the sky's light, which is bluer than the sun's.
    var isSkylight: Bool { share.x > share.z - mostDifference / 2 }

    func hasShare(of other: Cell) -> Bool {
      guard count > 1, other.count > 1 else { return false }
      let difference: SIMD3<Float> = share - other.share
      return (difference * difference).max() < mostDifference * mostDifference
    }

    mutating func fade(by share: Float) {
      count *= share
      sum *= share
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
  /// Of one share, by the light of the empty court.
  private var levels = Array(repeating: Cell(), count: lights)
  /// The pixels that differ from the empty court in this frame.
  private var changed: [Int] = []
  /// When the share was learnt last, in seconds.
  private var learnt = -Double.infinity

  /// - Parameter pixels: of a picture.
  init(pixels: Int) { changed.reserveCapacity(pixels) }

  /// Labels what has the shadow's share as shaded, and learns from all that differs from the empty court.
  mutating func take(
    from background: Background,
    _ picture: UnsafePointer<UInt8>,
    at time: Double
  ) {
    changed.removeAll(keepingCapacity: true)
    // The labels of eight pixels at a time, most of which are still or faint.
    let mask = UnsafeRawPointer(background.mask)
    let count = background.width * background.height
    var index = 0
    while index < count {
      let isWhole = index + 8 <= count
      if isWhole, mask.loadUnaligned(fromByteOffset: index, as: UInt64.self) & Self.unusual == 0 {
        index += 8
        continue
      }
      for pixel in index..<min(index + 8, count)
      where background.mask[pixel] > Background.Label.faint {
        changed.append(pixel)
        add(picture + pixel * 3, background.usual(pixel))
      }
      index += 8
    }
    if time - learnt >= Self.interval || time < learnt { learn(at: time) }
    label(background, picture)
  }

  private func label(_ background: Background, _ picture: UnsafePointer<UInt8>) {
    guard let share else { return }
    let lost = SIMD3<Float>(repeating: 1) - share
    for pixel in changed where background.mask[pixel] == Background.Label.moving {
      if isShadow(picture + pixel * 3, background.usual(pixel), background.limits, lost) {
        background.mask[pixel] = Background.Label.shaded
      }
    }
  }

  /// - Parameter lost: the share of light that a shadow takes.
  private func isShadow(
    _ pixel: UnsafePointer<UInt8>,
    _ mode: Background.Mode,
    _ limits: Background.Limits,
    _ lost: SIMD3<Float>
  ) -> Bool {
    let usual = SIMD3(mode.blue, mode.green, mode.red)
    let missing = usual - SIMD3(Float(Int(pixel[0])), Float(Int(pixel[1])), Float(Int(pixel[2])))
    let full = lost * usual
    let dark = (full * full).sum()
    guard dark > 0 else { return false }
    // At its edge a pixel is in the shadow in part.
    let part = (missing * full).sum() / dark
    guard Self.parts.contains(part) else { return false }
    let off = missing - min(part, 1) * full
    // As exact as a shade, at half of the light.
    return (off * off).sum() < limits.shade * mode.variance / 2
  }

  private mutating func add(_ pixel: UnsafePointer<UInt8>, _ mode: Background.Mode) {
    let usual: SIMD3<Float> = SIMD3(mode.blue, mode.green, mode.red)
    let grey = usual.sum() / 3
    guard grey > Self.leastLight, usual.min() > Self.leastLight / 3 else { return }
    let colour: SIMD3<Float> = SIMD3(
      Float(Int(pixel[0])),
      Float(Int(pixel[1])),
      Float(Int(pixel[2]))
    )
    let light = (colour * usual).sum() / (usual * usual).sum()
    let place = Int(((light - Self.darkest) / Self.step).rounded(.down))
    guard 0..<Self.steps ~= place else { return }
    let level = min(Int(4 * log2(grey / Self.leastLight)), Self.lights - 1)
    cells[place * Self.lights + level] += Cell(count: 1, sum: colour / usual)
  }

  private mutating func learn(at time: Double) {
    let passed = Float(min(max(time - learnt, 0), Double(Self.memory)))
    learnt = time
    for index in cells.indices { cells[index].fade(by: 1 - passed / Self.memory) }
    share = commonShare()
  }

  /// The share that most pixels have whose light isn't the commonest one with that share.
  private mutating func commonShare() -> SIMD3<Float>? {
    var (most, found): (Float, SIMD3<Float>?) = (0, nil)
    for place in 1..<Self.steps - 1 {
      // Noise spreads a share over its neighbours.
      for level in levels.indices {
        levels[level] = cells[(place - 1) * Self.lights + level]
        levels[level] += cells[place * Self.lights + level]
        levels[level] += cells[(place + 1) * Self.lights + level]
      }
      for level in levels.indices
      where levels[level].count > Self.least.pixels && levels[level].isSkylight {
        let same = levels[level].count
        let others = countOthers(than: level)
        guard min(same, others) > most, others > Self.least.pixels, others > Self.least.part * same
        else { continue }
        most = min(same, others)
        found = levels[level].share
      }
    }
    return found
  }

  /// How many pixels of other lights have the share of that one.
  private func countOthers(than level: Int) -> Float {
    var count: Float = 0
    for other in levels.indices where abs(other - level) >= Self.apart {
      if levels[other].hasShare(of: levels[level]) { count += levels[other].count }
    }
    return count
  }
}
