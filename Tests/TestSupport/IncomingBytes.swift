import Dispatch
import Glibc

/// What comes over a socket, handed on as it comes. It holds no thread while it waits.
package enum IncomingBytes {
  /// Reads until the other side hangs up, or until the socket fails.
  ///
  /// - Parameters:
  ///   - descriptor: of a socket, which stays open until `end` is called.
  ///   - take: gets the bytes, one call at a time.
  ///   - end: is called once, after the last of them.
  package static func read(
    _ descriptor: Int32,
    take: @escaping @Sendable (ArraySlice<UInt8>) -> Void,
    end: @escaping @Sendable () -> Void
  ) {
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor,
      queue: DispatchQueue(label: "incoming bytes")
    )
    source.setEventHandler {
      // To the last byte: a hang-up that comes together with data is not reported a second time.
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN { return }
        guard count > 0 else { return source.cancel() }
        take(chunk.prefix(count))
      }
    }
    source.setCancelHandler(handler: end)
    source.activate()
  }
}
