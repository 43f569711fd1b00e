/// A rectangle of pixels, its last column and row included.
struct PixelBox: Hashable, Sendable {
  var left: Int
  var right: Int
  var top: Int
  var bottom: Int

  var width: Int { right - left + 1 }
  var height: Int { bottom - top + 1 }

  mutating func join(_ other: PixelBox) {
    if other.left < left { left = other.left }
    if other.right > right { right = other.right }
    if other.top < top { top = other.top }
    if other.bottom > bottom { bottom = other.bottom }
  }

  /// - Returns: what of it is in a picture of that size; nil if nothing is.
  func clipped(width: Int, height: Int) -> PixelBox? {
    let box = PixelBox(
      left: max(left, 0),
      right: min(right, width - 1),
      top: max(top, 0),
      bottom: min(bottom, height - 1)
    )
    return box.left <= box.right && box.top <= box.bottom ? box : nil
  }

  /// How much of it is in the other one, 0…1.
  func share(in other: PixelBox) -> Double {
    let across = min(right, other.right) - max(left, other.left) + 1
    let down = min(bottom, other.bottom) - max(top, other.top) + 1
    guard across > 0, down > 0 else { return 0 }
    return Double(across * down) / Double(width * height)
  }

  /// Wider by half of its height on each side: as far as a racket reaches.
  var withArms: PixelBox {
    PixelBox(left: left - height / 2, right: right + height / 2, top: top, bottom: bottom)
  }

  /// Larger by a third of its width on each side.
  var withMargin: PixelBox {
    let margin = width / 3
    return PixelBox(
      left: left - margin,
      right: right + margin,
      top: top - margin,
      bottom: bottom + margin
    )
  }
}
