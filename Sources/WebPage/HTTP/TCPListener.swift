import Glibc
package import Host

/// A socket that listens at an IP address.
package final class TCPListener: Sendable {
  private static let backlog: Int32 = 64

  package let descriptor: FileDescriptor
  /// The port of the address, also where 0 asked for any.
  package let port: Int

  /// - Parameters:
  ///   - address: in digits, such as `192.168.1.5`, `0.0.0.0` or `::`, which takes IPv4 too.
  ///   - port: 0: any that is free.
  package init(_ address: String, port: Int) throws(SystemError) {
    let purpose = "listen on \(address), port \(port)"
    guard var place = IPEndpoint(address, port: port) else {
      throw SystemError(purpose, code: EADDRNOTAVAIL)
    }
    let descriptor = try place.socket(to: purpose)
    let number = descriptor.number
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
