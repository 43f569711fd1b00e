import Glibc

/// The box's addresses in its networks.
package enum OwnAddresses {
  /// Whether a host's name or address leads to this box alone.
  package static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  /// The addresses of interfaces that are up, as text: IPv4 first, then IPv6. Loopback and
  /// link-local ones are left out: no other box reaches them by a URL.
  package static func all() -> [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    let entries = sequence(first: first) { $0?.pointee.ifa_next.map(Optional.some) }
    let found = entries.compactMap { $0.flatMap { address($0.pointee) } }
    let isSix = { (address: String) in address.contains { $0 == ":" } }
    return found.filter { !isSix($0) } + found.filter(isSix)
  }

  private static func address(_ entry: ifaddrs) -> String? {
    let wanted = UInt32(IFF_UP | IFF_RUNNING)
    guard entry.ifa_flags & (wanted | UInt32(IFF_LOOPBACK)) == wanted,
      let address = entry.ifa_addr
    else { return nil }
    let length: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: length = MemoryLayout<sockaddr_in>.size
    case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let flags = NI_NUMERICHOST
    guard
      getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, flags) == 0
    else { return nil }
    let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    // A link-local address has its interface behind it, which no browser takes.
    return name.contains { $0 == "%" } || name.hasPrefix("169.254.") ? nil : name
  }
}
