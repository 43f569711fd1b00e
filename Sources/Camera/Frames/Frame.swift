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

extension Frame {
  /// A frame with memory of its own.
  init(copying bytes: [UInt8], _ layout: FrameLayout, time: MonotonicInstant, sequence: UInt32) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    copy.copyBytes(from: bytes)
    self.init(
      layout: layout,
      bytes: UnsafeRawBufferPointer(copy),
      time: time,
      sequence: sequence,
      giveBack: { copy.deallocate() }
    )
  }
}
