import Glibc
import Host

/// A file that can't be waited for with others, copied into a pipe that can, by a thread of its own.
///
/// Regular files and some devices are always ready: reading them may wait for a disk. A terminal's
/// line may go to another program between the two, and reading then waits for the next.
///
/// The thread ends with the file, or with the pipe's reader.
final class CopiedFile: Sendable {
  private static let chunk = 16_384

  /// Ends with the file, and when the file can't be read.
  let pipe: FileDescriptor
  private let reason = Locked<SystemError?>(nil)

  /// - Parameter name: what errors call the file.
  init(_ file: FileDescriptor, name: String) throws(SystemError) {
    let (reading, writing) = try FileDescriptor.pipe()
    pipe = reading
    try WaitingThread.start { [reason] in
      do throws(SystemError) { try Self.copy(file, name: name, to: writing) } catch {
        reason.withLock { $0 = error }
      }
      withExtendedLifetime(writing) {}
    }
  }

  /// Why the pipe has ended before the file.
  var failure: SystemError? { reason.withLock(\.self) }

  private static func copy(
    _ file: FileDescriptor,
    name: String,
    to pipe: FileDescriptor
  ) throws(SystemError) {
    var buffer = [UInt8](repeating: 0, count: chunk)
    var waiting = [
      pollfd(fd: file.number, events: Int16(POLLIN), revents: 0),
      // Shows only that the reader has gone.
      pollfd(fd: pipe.number, events: 0, revents: 0),
    ]
    while true {
      guard poll(&waiting, nfds_t(waiting.count), -1) >= 0 else {
        if errno == EINTR { continue }
        throw SystemError("wait for positions")
      }
      if waiting[1].revents != 0 { return }
      let count = read(file.number, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw SystemError("read positions from \(name)") }
      // Fails only when the reader has gone.
      guard count > 0, (try? writeAll(Array(buffer.prefix(count)), to: pipe.number)) != nil else {
        return
      }
    }
  }
}
