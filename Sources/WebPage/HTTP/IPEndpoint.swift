import Glibc
package import Host

/// An IP address and a port, as the kernel takes it.
package struct IPEndpoint {
  private var storage = sockaddr_storage()
  private var count: socklen_t

  /// - Parameter address: in digits.
  package init?(_ address: String, port: Int) {
    var four = sockaddr_in()
    var six = sockaddr_in6()
    let port = in_port_t(port).bigEndian
    if inet_pton(AF_INET, address, &four.sin_addr) == 1 {
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = port
      count = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutableBytes(of: &storage) { target in
        withUnsafeBytes(of: four) { target.copyMemory(from: $0) }
      }
    } else if inet_pton(AF_INET6, address, &six.sin6_addr) == 1 {
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = port
      count = socklen_t(MemoryLayout<sockaddr_in6>.size)
      withUnsafeMutableBytes(of: &storage) { target in
        withUnsafeBytes(of: six) { target.copyMemory(from: $0) }
      }
    } else {
      return nil
    }
  }

  var family: Int32 { Int32(storage.ss_family) }

  var port: Int {
    // Both families have it at the same place. Source: ip(7), ipv6(7).
    withUnsafeBytes(of: storage) {
      Int(in_port_t(bigEndian: $0.load(fromByteOffset: 2, as: in_port_t.self)))
    }
  }

  /// - Parameter purpose: what an error says could not be done.
  package func socket(to purpose: String) throws(SystemError) -> FileDescriptor {
    let number = Glibc.socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw SystemError(purpose) }
    return FileDescriptor(owning: number)
  }

  package mutating func connect(
    _ socket: FileDescriptor,
    to purpose: String
  ) throws(SystemError) {
    guard withAddress({ Glibc.connect(socket.number, $0, $1) }) == 0 else {
      throw SystemError(purpose)
    }
  }

  mutating func withAddress<Result>(
    _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &storage) { [count] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, count) }
    }
  }
}
