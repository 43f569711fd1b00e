/// The usual colours of all pixels, in the memory's order in which they are read: four pixels at a time.
///
/// Pixels 0 to 3 are a group, 4 to 7 the next one. A number of a group's four pixels is read at once. Each
/// frame reads every pixel's heaviest colour, of rank 0, and few others, so these lie apart.
struct PixelColours {
  /// The most colours that a pixel has.
  static let most = 4
  /// How many pixels' numbers lie side by side.
  static let group = 4
  /// The numbers of a group's colours of one rank: variance, blue, green and red.
  private static let numbers = 4 * group
  /// The numbers that aren't of the heaviest colours: all weights, and three ranks of colours.
  private static let others = group * most + numbers * (most - 1)

  /// How many colours each pixel has.
  let used: UnsafeMutablePointer<UInt8>
  private let heaviest: UnsafeMutableRawPointer
  private let further: UnsafeMutableRawPointer

  init(pixels: Int) {
    let groups = (pixels + Self.group - 1) / Self.group
    used = .allocate(capacity: pixels)
    used.initialize(repeating: 0, count: pixels)
    heaviest = Self.zeros(groups * Self.numbers)
    further = Self.zeros(groups * Self.others)
  }

  private static func zeros(_ count: Int) -> UnsafeMutableRawPointer {
    // A group's heaviest colours are one line of the processor's cache.
    let bytes = count * MemoryLayout<Float>.stride
    let zeros = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    zeros.initializeMemory(as: Float.self, repeating: 0, count: count)
    return zeros
  }

  func deallocate() {
    used.deallocate()
    heaviest.deallocate()
    further.deallocate()
  }

  /// The weights of a group's colours of a rank.
  @inline(__always)
  func weights(_ index: Int, _ rank: Int) -> UnsafeMutablePointer<Float> {
    let start = (index &>> 2) &* Self.others &+ rank &* Self.group
    return further.assumingMemoryBound(to: Float.self) + start
  }

  /// The variances of a group's colours of a rank; behind them the blues, the greens and the reds.
  @inline(__always)
  func numbers(_ index: Int, _ rank: Int) -> UnsafeMutablePointer<Float> {
    let group = index &>> 2
    if rank == 0 { return heaviest.assumingMemoryBound(to: Float.self) + group &* Self.numbers }
    return further.assumingMemoryBound(to: Float.self)
      + (group &* Self.others &+ rank &* Self.numbers)
  }

  /// One of a pixel's colours.
  subscript(index: Int, rank: Int) -> Background.Mode {
    get {
      let lane = index & 3
      let numbers = numbers(index, rank) + lane
      return Background.Mode(
        weight: weights(index, rank)[lane],
        variance: numbers[0],
        blue: numbers[4],
        green: numbers[8],
        red: numbers[12]
      )
    }
    nonmutating set {
      let lane = index & 3
      let numbers = numbers(index, rank) + lane
      weights(index, rank)[lane] = newValue.weight
      numbers[0] = newValue.variance
      numbers[4] = newValue.blue
      numbers[8] = newValue.green
      numbers[12] = newValue.red
    }
  }

  /// Copies a pixel's colours, heaviest first.
  ///
  /// - Parameter modes: room for ``most``.
  func read(_ index: Int, into modes: UnsafeMutablePointer<Background.Mode>) {
    var rank = 0
    while rank < Int(used[index]) {
      modes[rank] = self[index, rank]
      rank &+= 1
    }
  }

  /// Replaces a pixel's colours.
  func write(_ index: Int, _ modes: UnsafePointer<Background.Mode>, count: UInt8) {
    used[index] = count
    var rank = 0
    while rank < Int(count) {
      self[index, rank] = modes[rank]
      rank &+= 1
    }
  }
}
