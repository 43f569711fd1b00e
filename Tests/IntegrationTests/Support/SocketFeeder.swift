import Bridge
import Dispatch
import Glibc
import Host

/// A client of the positions' socket. Its writes block a thread that is no task's.
final class SocketFeeder: Sendable {
  let descriptor: FileDescriptor
  private let queue = DispatchQueue(label: "feeder")

  init(_ path: String) throws {
    signal(SIGPIPE, SIG_IGN)
    descriptor = try UnixSocketAddress(path: path).connected()
  }

  /// - Returns: whether somebody was there to read it.
  @discardableResult
  func write(_ bytes: [UInt8]) async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async { [self] in continuation.resume(returning: writeNow(bytes)) }
    }
  }

  @discardableResult
  func write(_ text: String) async -> Bool { await write(Array(text.utf8)) }

  /// Writes on the calling thread.
  ///
  /// - Returns: whether somebody was there to read it.
  @discardableResult
  func writeNow(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(descriptor.number, part.baseAddress, part.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  @discardableResult
  func writeNow(_ text: String) -> Bool { writeNow(Array(text.utf8)) }

  /// Hangs up, as a process that ends does.
  func close() { shutdown(descriptor.number, Int32(SHUT_RDWR)) }
}
