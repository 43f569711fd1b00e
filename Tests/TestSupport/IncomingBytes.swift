import Glibc
import Host

/// What comes over a socket, handed on as it comes.
package enum IncomingBytes {
  /// Reads until the other side hangs up, or until the socket fails, on a thread of its own.
  ///
  /// It is no source of libdispatch: where many come and go, epoll reports one that is already freed
  /// (swift-corelibs-libdispatch, issue 949), and the tests crash.
  ///
  /// - Parameters:
  ///   - descriptor: of a socket that blocks; it stays open until `end` is called.
  ///   - take: gets the bytes, one call at a time.
  ///   - end: is called once, after the last of them.
  package static func read(
    _ descriptor: Int32,
    take: @escaping @Sendable (ArraySlice<UInt8>) -> Void,
    end: @escaping @Sendable () -> Void
  ) {
    let status = startThread {
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return end() }
        take(chunk.prefix(count))
      }
    }
    precondition(status == 0, "no thread could be started: error \(status)")
  }
}
