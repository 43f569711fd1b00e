import Glibc
import Host

/// Blocks a thread until it is released, as a full pipe or a disk that hangs does.
package final class Blockade: Sendable {
  private let pipe: (reading: FileDescriptor, writing: FileDescriptor)

  package init() throws { pipe = try FileDescriptor.pipe() }

  package func block() {
    var byte: UInt8 = 0
    _ = read(pipe.reading.number, &byte, 1)
  }

  /// Lets one thread go on, now or as soon as it blocks.
  package func release() { _ = write(pipe.writing.number, [UInt8(1)], 1) }
}
