import Glibc
import Host
import WebPage

/// Looks at a TCP port of an IP address of this box. It waits; call it on a thread that may.
struct PortProbe {
  private static let timeout = Duration.seconds(3)

  let address: String
  let port: Int

  /// Throws why no program could listen there now.
  func listen() throws(SystemError) { _ = try TCPListener(address, port: port) }

  /// A connection to what listens there.
  func connected() throws(SystemError) -> FileDescriptor {
    let any = ["0.0.0.0": "127.0.0.1", "::": "::1"]
    let purpose = "connect to \(address), port \(port)"
    guard var place = IPEndpoint(any[address] ?? address, port: port) else {
      throw SystemError(purpose, code: EINVAL, reason: "it is no IP address")
    }
    let socket = try place.socket(to: purpose)
    for option in [SO_SNDTIMEO, SO_RCVTIMEO] { socket.setTimeout(Self.timeout, of: option) }
    try place.connect(socket, to: purpose)
    return socket
  }

  /// The first line of the answer to a request without a body.
  func answer(to request: String) throws(SystemError) -> String {
    let purpose = "ask \(address), port \(port)"
    let socket = try connected()
    let host = address.contains { $0 == ":" } ? "[\(address)]" : address
    let text = "\(request) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\r\n"
    try writeAll(text, to: socket.number, purpose)
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(socket.number, &bytes, bytes.count)
    guard count >= 0 else { throw SystemError(purpose) }
    return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  }
}
