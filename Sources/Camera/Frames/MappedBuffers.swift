import Glibc
import Host

/// The driver's memory for frames, mapped into this process until the last frame is gone.
final class MappedBuffers {
  private let device: VideoDevice
  private var places: [UnsafeMutableRawBufferPointer] = []

  /// The buffers to ask for: those that a driver is busy with, one that is read, one that waits.
  private static let wanted = 4

  init(_ device: VideoDevice) throws(SystemError) {
    self.device = device
    let count = try device.requestBuffers(Self.wanted)
    // With one buffer, the driver has none while a frame is read.
    guard count >= 2 else {
      throw SystemError("get memory for frames", code: ENOMEM, reason: "the driver has too little")
    }
    for buffer in 0..<count {
      let (offset, length) = try device.place(of: buffer)
      guard
        let start = mmap(nil, length, PROT_READ, MAP_SHARED, device.descriptor.number, offset),
        start != MAP_FAILED
      else { throw SystemError("map the memory of frames") }
      places.append(UnsafeMutableRawBufferPointer(start: start, count: length))
    }
  }

  deinit {
    for place in places { munmap(place.baseAddress, place.count) }
  }

  func queueAll() throws(SystemError) {
    for buffer in places.indices { try device.queue(buffer) }
  }

  var count: Int { places.count }

  func has(_ buffer: Int) -> Bool { places.indices.contains(buffer) }

  /// - Parameter count: what the driver claims to have filled.
  func bytes(of buffer: Int, count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: places[buffer].prefix(max(count, 0)))
  }

  /// A device that is gone takes nothing back; the next look at it says so.
  func giveBack(_ buffer: Int) { try? device.queue(buffer) }
}
