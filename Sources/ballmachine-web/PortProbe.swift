import Glibc
import Host

/// Looks at a TCP port of an IP address of this box. It waits; call it on a thread that may.
struct PortProbe {
  private static let timeout = 3

  let address: String
  let port: Int

  /// Throws why no program could listen there now.
  func listen() throws(SystemError) {
    let purpose = "listen on \(address), port \(port)"
    let socket = try with(address, purpose) { place throws(SystemError) in
      let socket = try Self.socket(of: place, purpose)
      var one: Int32 = 1
      setsockopt(
        socket.number,
        SOL_SOCKET,
        SO_REUSEADDR,
        &one,
        socklen_t(MemoryLayout.size(ofValue: one))
      )
      guard bind(socket.number, place.ai_addr, place.ai_addrlen) == 0 else {
        throw SystemError(purpose)
      }
      return socket
    }
    guard Glibc.listen(socket.number, 1) == 0 else { throw SystemError(purpose) }
  }

  /// A connection to what listens there.
  func connected() throws(SystemError) -> FileDescriptor {
    let any = ["0.0.0.0": "127.0.0.1", "::": "::1"]
    let purpose = "connect to \(address), port \(port)"
    return try with(any[address] ?? address, purpose) { place throws(SystemError) in
      let socket = try Self.socket(of: place, purpose)
      var time = timeval(tv_sec: Self.timeout, tv_usec: 0)
      for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
        let size = socklen_t(MemoryLayout.size(ofValue: time))
        setsockopt(socket.number, SOL_SOCKET, option, &time, size)
      }
      guard connect(socket.number, place.ai_addr, place.ai_addrlen) == 0 else {
        throw SystemError(purpose)
      }
      return socket
    }
  }

  /// The first line of the answer to a request without a body.
  func answer(to request: String) throws(SystemError) -> String {
    let purpose = "ask \(address), port \(port)"
    let socket = try connected()
    let host = address.contains { $0 == ":" } ? "[\(address)]" : address
    let text = "\(request) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\r\n"
    do throws(WriteError) { try writeAll(text, to: socket.number) } catch {
      throw SystemError(purpose, code: error.errno)
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(socket.number, &bytes, bytes.count)
    guard count >= 0 else { throw SystemError(purpose) }
    return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  }

  private static func socket(
    of place: addrinfo,
    _ purpose: String
  ) throws(SystemError) -> FileDescriptor {
    let number = Glibc.socket(place.ai_family, place.ai_socktype, place.ai_protocol)
    guard number >= 0 else { throw SystemError(purpose) }
    return FileDescriptor(owning: number)
  }

  private func with<Result>(
    _ address: String,
    _ purpose: String,
    _ body: (addrinfo) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, "\(port)", &hints, &list) == 0, let list else {
      throw SystemError(purpose, code: EINVAL, reason: "it is no IP address")
    }
    defer { freeaddrinfo(list) }
    return try body(list.pointee)
  }
}
