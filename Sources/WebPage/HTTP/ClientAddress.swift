package import Glibc

/// From where a request comes, as far as limits count it: an IPv4 address, or an IPv6 network of 64
/// bits, since a phone chooses the rest of its address itself.
package struct ClientAddress: Hashable, Sendable {
  private let bytes: [UInt8]

  /// Whether it is an IPv6 network, which may be all phones of a Wi-Fi.
  var isNetwork: Bool { bytes.count == 8 }

  /// - Returns: nil for an address of another family.
  package init?(_ address: UnsafePointer<sockaddr>) {
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      self.init(bytes: withUnsafeBytes(of: raw.load(as: sockaddr_in.self).sin_addr) { Array($0) })
    case AF_INET6:
      self.init(bytes: withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { Array($0) })
    default: return nil
    }
  }

  /// - Parameter bytes: 4 or 16.
  init(bytes: [UInt8]) {
    // Source: RFC 4291, 2.5.5.2: an IPv4 address that is written as an IPv6 one.
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    let isMapped = bytes.count == 16 && bytes.starts(with: mapped)
    self.bytes = isMapped ? Array(bytes.suffix(4)) : Array(bytes.prefix(bytes.count == 16 ? 8 : 4))
  }
}
