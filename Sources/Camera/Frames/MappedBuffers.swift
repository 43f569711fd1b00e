import Glibc
import Host

/// The driver's memory for frames, mapped into this process until the last frame is gone.
final class MappedBuffers {
  private let device: VideoDevice
  private let layout: FrameLayout
  /// The pieces of memory of each buffer.
  private var places: [[UnsafeMutableRawBufferPointer]] = []
  /// Where the pieces of a frame that has several are put together; a place for each buffer.
  private var whole: [UnsafeMutableRawBufferPointer] = []

  /// The buffers to ask for: those that a driver is busy with, one that is read, one that waits.
  private static let wanted = 4

  init(_ device: VideoDevice, _ layout: FrameLayout) throws(SystemError) {
    self.device = device
    self.layout = layout
    let count = try device.requestBuffers(Self.wanted)
    // With one buffer, the driver has none while a frame is read.
    guard count >= 2 else {
      throw SystemError("get memory for frames", code: ENOMEM, reason: "the driver has too little")
    }
    for buffer in 0..<count {
      let pieces = try device.places(of: buffer)
      places.append([])
      for (offset, length) in pieces {
        guard
          let start = mmap(nil, length, PROT_READ, MAP_SHARED, device.descriptor.number, offset),
          start != MAP_FAILED
        else { throw SystemError("map the memory of frames") }
        places[buffer].append(UnsafeMutableRawBufferPointer(start: start, count: length))
      }
      if pieces.count > 1 {
        whole.append(.allocate(byteCount: layout.leastBytes, alignment: 16))
      }
    }
  }

  deinit {
    for place in places.joined() { munmap(place.baseAddress, place.count) }
    for place in whole { place.deallocate() }
  }

  func queueAll() throws(SystemError) {
    for buffer in places.indices { try device.queue(buffer) }
  }

  var count: Int { places.count }

  func has(_ buffer: Int) -> Bool { places.indices.contains(buffer) }

  /// A frame's bytes, in one piece.
  func bytes(of filled: VideoDevice.Filled) -> UnsafeRawBufferPointer {
    let pieces = places[filled.buffer]
    let first = pieces[0].part(filled.bytes)
    guard pieces.count > 1, let starts = layout.samples?.planes, starts.count == pieces.count else {
      return first
    }
    let whole = whole[filled.buffer]
    for (index, piece) in pieces.enumerated() {
      let part = index == 0 ? first : piece.part(filled.others[index - 1])
      let end = index + 1 < starts.count ? starts[index + 1] : whole.count
      let place = UnsafeMutableRawBufferPointer(rebasing: whole[starts[index]..<end])
      place.copyBytes(from: part.prefix(place.count))
      // The frame ends where its bytes do.
      guard part.count >= place.count else {
        return UnsafeRawBufferPointer(rebasing: whole.prefix(starts[index] + part.count))
      }
    }
    return UnsafeRawBufferPointer(whole)
  }

  /// A device that is gone takes nothing back; the next look at it says so.
  func giveBack(_ buffer: Int) { try? device.queue(buffer) }
}

extension UnsafeMutableRawBufferPointer {
  /// - Parameter range: what the driver claims to have filled.
  fileprivate func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range.clamped(to: indices)])
  }
}
