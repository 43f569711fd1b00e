package import Glibc

/// A path that fits into a socket's address.
package struct UnixSocketAddress: Hashable, Sendable {
  /// The bytes of `sun_path`, less the zero that ends it.
  /// Source: unix(7), `char sun_path[108]`.
  package static let longestPath = 107

  package let path: String

  package init(path: String) throws(UnixSocketError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .emptyPath }
    guard path.utf8.count <= Self.longestPath else { throw .pathTooLong(path) }
    self.path = path
  }

  /// Calls `body` with the address as `bind` and `connect` want it.
  package func withSocketAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// A stream socket connected to this address.
  package func connected() throws(SystemError) -> FileDescriptor {
    let socket = try Self.socket()
    guard withSocketAddress({ connect(socket.number, $0, $1) }) == 0 else {
      throw SystemError("connect to \(path)")
    }
    return socket
  }

  package static func socket() throws(SystemError) -> FileDescriptor {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard number >= 0 else { throw SystemError("make a socket") }
    return FileDescriptor(owning: number)
  }
}

/// Why there is no socket at a path.
package enum UnixSocketError: Error, Hashable, Sendable {
  case emptyPath
  case pathTooLong(String)
  /// Another process listens there.
  case inUse(String)
  /// The path exists and is not a socket.
  case notASocket(String)
  case system(SystemError)
}

extension UnixSocketError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .emptyPath:
      "a socket needs a path"
    case .pathTooLong(let path):
      "\(path) is too long for a socket: \(path.utf8.count) bytes, at most"
        + " \(UnixSocketAddress.longestPath) fit (choose a shorter runtime directory)"
    case .inUse(let path):
      "another program listens on \(path): is another ballmachine running?"
    case .notASocket(let path):
      "\(path) exists and is not a socket: choose another path"
    case .system(let error):
      error.description
    }
  }
}
