import Glibc

/// An open file of the system, closed with its last holder and not inherited by child processes.
package final class FileDescriptor: Sendable {
  package let number: Int32

  /// Takes over `number`, which must be open.
  package init(owning number: Int32) {
    self.number = number
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  deinit { _ = close(number) }

  package static func pipe() throws(SystemError) -> (
    reading: FileDescriptor, writing: FileDescriptor
  ) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw SystemError("make a pipe") }
    return (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
  }

  /// Makes reads and accepts return at once when there is nothing.
  ///
  /// This is a property of the open file, not of the descriptor: never for a descriptor that other
  /// processes share, such as standard input.
  package func setNonBlocking() throws(SystemError) {
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0 else {
      throw SystemError("make a file non-blocking")
    }
  }
}
