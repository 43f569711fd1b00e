import Glibc
import Host

/// Bytes that wait until a client takes them.
struct OutputBuffer {
  private var bytes: [UInt8] = []
  /// How many of `bytes` have been sent.
  private var taken = 0

  var count: Int { bytes.count - taken }
  var isEmpty: Bool { count == 0 }
  /// What it takes in memory.
  var heldBytes: Int { bytes.count }

  mutating func append(line: some Sequence<UInt8>) {
    bytes.append(contentsOf: line)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes what the socket takes now.
  ///
  /// - Returns: whether the other end is still there.
  mutating func flush(to socket: FileDescriptor) -> Bool {
    while !isEmpty {
      let sent = bytes.withUnsafeBytes { bytes in
        // No signal when the client has gone.
        send(
          socket.number,
          bytes.baseAddress.map { $0 + taken },
          bytes.count - taken,
          Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        )
      }
      if sent < 0 {
        if errno == EINTR { continue }
        let mayWait = errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM
        compact()
        return mayWait
      }
      taken += sent
    }
    // A client that was far behind gives its memory back.
    bytes.removeAll(keepingCapacity: bytes.count <= 4096)
    taken = 0
    return true
  }

  /// Frees the bytes that were sent, for a slow client that never empties the buffer.
  private mutating func compact() {
    guard taken > bytes.count / 2 else { return }
    bytes.removeFirst(taken)
    taken = 0
  }
}
