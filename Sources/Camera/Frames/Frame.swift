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
  /// Keeps the bytes in their place until it is called.
  let giveBack: () -> Void

  deinit { giveBack() }
}
