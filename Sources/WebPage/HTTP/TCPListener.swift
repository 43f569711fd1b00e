import Glibc
package import Host

/// A socket that listens at an IP address.
package final class TCPListener: Sendable {
  private static let backlog: Int32 = 64

  package let descriptor: FileDescriptor
  /// Of the address, also where 0 asked for any.
  package let port: Int

  /// Whether it is one of IPv4 or IPv6, in digits.
  static func isAddress(_ text: String) -> Bool { SocketPlace(text, port: 0) != nil }

  /// - Parameters:
  ///   - address: in digits, such as `192.168.1.5`, `0.0.0.0` or `::`, which takes IPv4 too.
  ///   - port: 0: any that is free.
  package init(_ address: String, port: Int) throws(SystemError) {
    let purpose = "listen on \(address), port \(port)"
    guard var place = SocketPlace(address, port: port) else {
      throw SystemError(purpose, code: EADDRNOTAVAIL)
    }
    let number = socket(place.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw SystemError(purpose) }
    let descriptor = FileDescriptor(owning: number)
    var one: Int32 = 1
    let size = socklen_t(MemoryLayout.size(ofValue: one))
    // The port of a program that has just ended is free at once.
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &one, size)
    var zero: Int32 = 0
    if place.family == AF_INET6 {
      setsockopt(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &zero, size)
    }
    guard place.withAddress({ bind(number, $0, $1) }) == 0, listen(number, Self.backlog) == 0,
      place.withAddress({ address, count in
        var count = count
        return getsockname(number, address, &count)
      }) == 0
    else { throw SystemError(purpose) }
    try descriptor.setNonBlocking()
    self.descriptor = descriptor
    self.port = place.port
  }
}

/// An IP address and a port, as the kernel takes it.
private struct SocketPlace {
  private var storage = sockaddr_storage()
  private var count: socklen_t

  init?(_ address: String, port: Int) {
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

  mutating func withAddress<Result>(
    _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &storage) { [count] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, count) }
    }
  }
}
