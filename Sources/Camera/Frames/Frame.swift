package import Clocks

/// A frame of a source. Its end gives its memory back to the driver, which has little of it: keep
/// none longer than needed.
package struct Frame: ~Copyable {
  package let layout: FrameLayout
  /// Borrowed: only valid as long as this frame.
  package let bytes: UnsafeRawBufferPointer
  /// When it was taken; never later than now.
  package let time: MonotonicInstant
  /// The driver's number. A gap shows frames that were lost on the way.
  package let sequence: UInt32
  private let owner: any FrameOwner
  private let buffer: Int

  init(
    _ layout: FrameLayout,
    _ bytes: UnsafeRawBufferPointer,
    at time: MonotonicInstant,
    sequence: UInt32,
    of owner: any FrameOwner,
    buffer: Int
  ) {
    self.layout = layout
    self.bytes = bytes
    self.time = time
    self.sequence = sequence
    self.owner = owner
    self.buffer = buffer
  }

  deinit { owner.giveBack(buffer) }
}

/// What keeps a frame's bytes in their place.
protocol FrameOwner: AnyObject {
  func giveBack(_ buffer: Int)
}
