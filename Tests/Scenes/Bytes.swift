/// Bytes at a fixed address: what a frame is drawn with must be quick in a debug build too.
final class Bytes {
  let base: UnsafeMutablePointer<UInt8>
  let count: Int

  init(_ count: Int) {
    self.count = count
    base = .allocate(capacity: count)
    base.initialize(repeating: 0, count: count)
  }

  deinit { base.deallocate() }

  subscript(index: Int) -> UInt8 {
    get { base[index] }
    set { base[index] = newValue }
  }

  func clear() { base.update(repeating: 0, count: count) }

  func copy(_ other: Bytes) { base.update(from: other.base, count: count) }

  /// Of three bytes a pixel.
  func set(_ pixel: Int, _ colour: Colour) {
    base[pixel * 3] = Self.clamp(colour.blue)
    base[pixel * 3 + 1] = Self.clamp(colour.green)
    base[pixel * 3 + 2] = Self.clamp(colour.red)
  }

  static func clamp(_ value: Double) -> UInt8 { value <= 0 ? 0 : value >= 255 ? 255 : UInt8(value) }
}
