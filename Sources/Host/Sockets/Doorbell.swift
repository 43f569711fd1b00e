import Glibc

/// Rung by a task to wake a thread that sleeps in `poll`.
package final class Doorbell: Sendable {
  private let pipe: (reading: FileDescriptor, writing: FileDescriptor)

  package init() throws(SystemError) {
    pipe = try FileDescriptor.pipe()
    try pipe.reading.setNonBlocking()
    try pipe.writing.setNonBlocking()
  }

  /// Readable from the first ``ring()`` to the next ``answer()``.
  package var descriptor: FileDescriptor { pipe.reading }

  /// Never waits: a full pipe has been rung already.
  package func ring() {
    _ = write(pipe.writing.number, [UInt8(1)], 1)
  }

  /// Call this before looking for the work that the ring announced.
  package func answer() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while read(pipe.reading.number, &bytes, bytes.count) == bytes.count {}
  }
}
