import Dispatch
import Foundation
import Glibc
package import Host

/// A test's end of a pipe or socket. Writes block, on a thread that is no task's.
package final class Feeder: Sendable {
  private let descriptor: FileDescriptor
  private let queue = DispatchQueue(label: "feeder")

  package init(_ descriptor: FileDescriptor) {
    // A feed that has gone is an error of `write`, not the end of the test.
    signal(SIGPIPE, SIG_IGN)
    self.descriptor = descriptor
  }

  package convenience init(socket path: String) throws {
    self.init(try UnixSocketAddress(path: path).connected())
  }

  /// Opens a FIFO, which somebody reads already.
  package convenience init(fifo path: String) throws {
    let number = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open \(path)") }
    _ = fcntl(number, F_SETFL, O_WRONLY)
    self.init(FileDescriptor(owning: number))
  }

  /// Returns once the other side, or the kernel for it, has everything.
  ///
  /// - Returns: whether it was taken.
  @discardableResult
  package func write(_ bytes: [UInt8]) async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async { [descriptor] in
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes {
            Glibc.write(descriptor.number, $0.baseAddress, $0.count)
          }
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { break }
          rest = rest.dropFirst(count)
        }
        continuation.resume(returning: rest.isEmpty)
      }
    }
  }

  @discardableResult
  package func write(_ text: String) async -> Bool { await write(Array(text.utf8)) }

  /// Waits for what the other side says, which must come in one piece; nil at the end.
  package func reply() async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { [descriptor] in
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor.number, &buffer, buffer.count)
        let text = count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
        continuation.resume(returning: text)
      }
    }
  }

  /// Whether the other side has said nothing so far.
  package var hasNoReply: Bool {
    var file = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return poll(&file, 1, 0) == 0
  }

  /// Waits for the other side to end the connection.
  package func waitForEnd() async {
    await withCheckedContinuation { continuation in
      queue.async { [descriptor] in
        var byte: UInt8 = 0
        while read(descriptor.number, &byte, 1) > 0 {}
        continuation.resume()
      }
    }
  }
}
