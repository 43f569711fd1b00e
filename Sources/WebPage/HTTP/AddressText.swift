import CMicroHTTPD
import Glibc

/// An IP address in digits; one of IPv4 that came over IPv6 as IPv4.
func addressText(_ address: UnsafePointer<sockaddr>?) -> String {
  guard let address else { return "?" }
  var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
  let isSix = Int32(address.pointee.sa_family) == AF_INET6
  let size = isSix ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
  let status = getnameinfo(
    address,
    socklen_t(size),
    &text,
    socklen_t(text.count),
    nil,
    0,
    NI_NUMERICHOST
  )
  guard status == 0 else { return "?" }
  let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return name.hasPrefix("::ffff:") ? String(name.dropFirst(7)) : name
}
