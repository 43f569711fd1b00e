package import Glibc

/// A path, or an abstract name, that fits into a socket's address.
///
/// An abstract name is no file: no user can remove it, every user may connect, and the kernel frees it
/// however its process ends. Each network namespace has its own names. Source: unix(7).
package struct UnixSocketAddress: Hashable, Sendable {
  /// The bytes of `sun_path`, less the zero that ends it.
  /// Source: unix(7), `char sun_path[108]`.
  package static let longestPath = 107

  /// The abstract name begins with `@`, as the system's tools write it.
  package let path: String
  package let isAbstract: Bool

  package init(path: String) throws(UnixSocketError) {
    try self.init(path, isAbstract: false)
  }

  /// - Parameter name: without the `@`.
  package init(abstract name: String) throws(UnixSocketError) {
    try self.init("@" + name, isAbstract: true)
  }

  private init(_ path: String, isAbstract: Bool) throws(UnixSocketError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .emptyPath }
    // No zero ends an abstract name, but one begins it.
    let longest = Self.longestPath + (isAbstract ? 1 : 0)
    guard path.utf8.count <= longest else { throw .pathTooLong(path) }
    self.path = path
    self.isAbstract = isAbstract
  }

  /// Calls `body` with the address as `bind` and `connect` want it.
  package func withSocketAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var length = MemoryLayout<sockaddr_un>.size
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: path.utf8)
      guard isAbstract else { return }
      // The length is part of an abstract name.
      $0[0] = 0
      length += path.utf8.count - $0.count
    }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
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
