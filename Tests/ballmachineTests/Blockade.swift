import Glibc
import Testing

/// Blocks a thread until it is released, as a full pipe or a disk that hangs does.
final class Blockade: Sendable {
  private let ends: (reading: Int32, writing: Int32)

  init() throws {
    var numbers: [Int32] = [-1, -1]
    try #require(pipe(&numbers) == 0)
    ends = (numbers[0], numbers[1])
  }

  deinit {
    close(ends.reading)
    close(ends.writing)
  }

  func block() {
    var byte: UInt8 = 0
    _ = read(ends.reading, &byte, 1)
  }

  /// Lets one thread go on, now or as soon as it blocks.
  func release() { _ = write(ends.writing, [UInt8(1)], 1) }
}
