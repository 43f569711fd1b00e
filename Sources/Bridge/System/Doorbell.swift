import Glibc

/// Rung by a task to wake a thread that sleeps in `poll`.
final class Doorbell: Sendable {
  private let pipe: (reading: FileDescriptor, writing: FileDescriptor)

  init() throws(SystemError) {
    pipe = try FileDescriptor.pipe()
    try pipe.reading.setNonBlocking()
    try pipe.writing.setNonBlocking()
  }

  /// Readable from the first ``ring()`` to the next ``answer()``.
  var descriptor: FileDescriptor { pipe.reading }

  /// Never waits: if the pipe is full, it has rung.
  func ring() {
    _ = write(pipe.writing.number, [UInt8(1)], 1)
  }

  /// To be called before what it was rung for is looked at.
  func answer() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while read(pipe.reading.number, &bytes, bytes.count) == bytes.count {}
  }
}
