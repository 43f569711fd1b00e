import CourtLogic
import Glibc

/// Numbers that follow from their seed.
struct Random {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(generator.next() >> 11) * 0x1p-53
  }

  /// Mean 0, sigma 1: Box and Muller's.
  mutating func normal() -> Double {
    (-2 * log(1 - uniform(0, 1))).squareRoot() * cos(2 * .pi * uniform(0, 1))
  }

  /// For another generator.
  mutating func seed() -> UInt64 { generator.next() }

  mutating func below(_ count: Int) -> Int { Int(generator.next() >> 33) % count }

  mutating func one<Element>(of list: [Element]) -> Element { list[below(list.count)] }
}

/// A texture: at each place the same number for ever, -1…1.
struct Texture {
  let seed: UInt32

  private func lattice(_ x: Int, _ y: Int) -> Double {
    var hash = seed &+ UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1
    hash = (hash ^ (hash >> 15)) &+ UInt32(truncatingIfNeeded: y) &* 0x85EB_CA77
    hash = (hash ^ (hash >> 13)) &* 0xC2B2_AE3D
    hash ^= hash >> 16
    return Double(Int(hash & 0xFFFF)) / 32767.5 - 1
  }

  /// Smooth between the points of a grid of 1.
  func smooth(_ x: Double, _ y: Double) -> Double {
    let (left, top) = (floor(x), floor(y))
    let (column, row) = (Int(left), Int(top))
    let (a, b) = (x - left, y - top)
    let upper = lattice(column, row) * (1 - a) + lattice(column + 1, row) * a
    let lower = lattice(column, row + 1) * (1 - a) + lattice(column + 1, row + 1) * a
    return upper * (1 - b) + lower * b
  }
}
