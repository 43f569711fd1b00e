import CLinux
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
  /// The flag belongs to the open file, not to the descriptor: never set it on a file that other
  /// processes share, such as standard input.
  package func setNonBlocking() throws(SystemError) {
    try change("make a file non-blocking") { $0 | O_NONBLOCK }
  }

  /// Makes reads wait until there is something.
  func setBlocking() throws(SystemError) {
    try change("make a file blocking") { $0 & ~O_NONBLOCK }
  }

  /// Limits each wait of a socket.
  ///
  /// - Parameters:
  ///   - timeout: zero: it waits for ever.
  ///   - option: `SO_RCVTIMEO` for reads, `SO_SNDTIMEO` for writes and for connecting.
  package func setTimeout(_ timeout: Duration, of option: Int32) {
    let (seconds, attoseconds) = timeout.components
    var time = timeval(
      tv_sec: time_t(seconds),
      tv_usec: suseconds_t(attoseconds / 1_000_000_000_000)
    )
    setsockopt(number, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  private func change(_ attempt: String, _ flags: (Int32) -> Int32) throws(SystemError) {
    let before = fcntl(number, F_GETFL)
    guard before >= 0, fcntl(number, F_SETFL, flags(before)) == 0 else {
      throw SystemError(attempt)
    }
  }
}
