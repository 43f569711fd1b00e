import Glibc
package import Host
import TestSupport

/// Listens at a free port of 127.0.0.1.
package final class LocalListener: Sendable {
  package let descriptor: FileDescriptor
  package let port: Int

  package init() throws {
    descriptor = FileDescriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout.size(ofValue: address))
    let number = descriptor.number
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(number, address, size) | listen(number, 16) | getsockname(number, address, &size)
      }
    }
    guard status == 0 else { throw SystemError("listen on 127.0.0.1") }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  /// Accepts those who have connected, and hangs up.
  ///
  /// - Returns: how many they are.
  package func countOfClients() throws -> Int {
    try descriptor.setNonBlocking()
    return sequence(state: ()) { [descriptor] _ in
      let client = accept(descriptor.number, nil, nil)
      return client < 0 ? nil : close(client)
    }.reduce(0) { count, _ in count + 1 }
  }

  /// Accepts a client, and reads what it says first.
  package func greeting() async -> [UInt8] {
    await inSpareTime { [descriptor] in
      let client = accept(descriptor.number, nil, nil)
      defer { close(client) }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = recv(client, &bytes, bytes.count, 0)
      return Array(bytes.prefix(max(0, count)))
    }
  }

  /// Accepts a client, reads its first bytes, and breaks the connection without a farewell.
  package func reset() async {
    await inSpareTime { [descriptor] in
      let client = accept(descriptor.number, nil, nil)
      var byte: UInt8 = 0
      recv(client, &byte, 1, 0)
      // Unread bytes make it a reset.
      close(client)
    }
  }
}

/// What a broker must not do, or what Debian's doesn't: it answers packets with given bytes.
package final class FakeBroker: Sendable {
  package enum Answer: Sendable {
    case bytes([UInt8])
    /// And hangs up.
    case last([UInt8])
  }

  package static let connected: [UInt8] = [0x20, 3, 0, 0, 0]
  package static let connectedTo311: [UInt8] = [0x20, 2, 0, 0]

  private let listener: LocalListener
  package var port: Int { listener.port }

  /// - Parameter answer: to a packet of a client.
  package init(_ answer: @escaping @Sendable (_ packet: [UInt8]) -> Answer) throws {
    let listener = try LocalListener()
    self.listener = listener
    try WaitingThread.start {
      while true {
        let client = accept(listener.descriptor.number, nil, nil)
        guard client >= 0 else { return }
        Self.serve(FileDescriptor(owning: client), answer)
      }
    }
  }

  deinit { shutdown(listener.descriptor.number, Int32(SHUT_RDWR)) }

  private static func serve(
    _ client: FileDescriptor,
    _ answer: @escaping @Sendable ([UInt8]) -> Answer
  ) {
    let received = Locked<[UInt8]>([])
    IncomingBytes.read(client.number) { bytes in
      received.withLock { received in
        received += bytes
        while let packet = takePacket(&received) {
          switch answer(packet) {
          case .bytes(let bytes): write(bytes, to: client)
          case .last(let bytes):
            write(bytes, to: client)
            shutdown(client.number, Int32(SHUT_RDWR))
          }
        }
      }
    } end: {
      withExtendedLifetime(client) {}
    }
  }

  private static func write(_ bytes: [UInt8], to client: FileDescriptor) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(client.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// The next whole packet: a byte of its kind, its length in groups of 7 bits, and the rest.
  private static func takePacket(_ bytes: inout [UInt8]) -> [UInt8]? {
    var length = 0
    for (index, byte) in bytes.dropFirst().prefix(4).enumerated() {
      length |= Int(byte & 0x7F) << (7 * index)
      guard byte < 0x80 else { continue }
      let end = 2 + index + length
      guard bytes.count >= end else { return nil }
      defer { bytes.removeFirst(end) }
      return Array(bytes.prefix(end))
    }
    return nil
  }
}
