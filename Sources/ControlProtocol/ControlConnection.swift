import Glibc
import Host

/// A blocking connection to one of the service's sockets, for threads that may wait.
final class ControlConnection: Sendable {
  let path: String
  /// Who listens there.
  let peer: PeerCredentials
  private let descriptor: FileDescriptor

  /// - Parameters:
  ///   - name: the socket's name.
  ///   - timeout: how long connecting, and each read and write, may take.
  convenience init(
    to name: String,
    in directory: RuntimeDirectory,
    timeout: Duration
  ) throws(ControlClientError) {
    let path = directory.path(of: name)
    var status = stat()
    // A link could lead to another bridge's stop.sock, where connecting alone is a stop.
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
      throw .untrusted(path, "it is a link")
    }
    let address: UnixSocketAddress
    do throws(UnixSocketError) { address = try UnixSocketAddress(path: path) } catch {
      throw .strange(path)
    }
    try self.init(to: address, timeout: timeout)
    // Any user may have put a socket into a directory that others may write to.
    try believe(directory.trusted)
  }

  /// Connects without a check of the listener.
  init(to address: UnixSocketAddress, timeout: Duration) throws(ControlClientError) {
    path = address.path
    let descriptor: FileDescriptor
    do throws(SystemError) { descriptor = try UnixSocketAddress.socket() } catch {
      throw .system(error)
    }
    self.descriptor = descriptor
    descriptor.setTimeout(timeout, of: SO_SNDTIMEO)
    descriptor.setTimeout(timeout, of: SO_RCVTIMEO)
    guard address.withSocketAddress({ connect(descriptor.number, $0, $1) }) == 0 else {
      switch errno {
      case ENOENT, ECONNREFUSED, ENOTDIR: throw .noService(path)
      case EACCES, EPERM: throw .noPermission(path)
      // The listener's backlog is full.
      case EAGAIN, EINPROGRESS, ETIMEDOUT: throw .silent(path)
      default: throw .system(SystemError("connect to \(path)"))
      }
    }
    guard let peer = PeerCredentials(of: descriptor) else {
      throw .untrusted(path, "the kernel does not say which user listens there")
    }
    self.peer = peer
  }

  /// Throws unless one of these users listens there.
  func believe(_ trusted: Set<UInt32>) throws(ControlClientError) {
    guard trusted.contains(peer.user) else {
      throw .untrusted(path, "the user \(UserName(peer.user)) listens there")
    }
  }

  /// Removes the time limit of reads.
  func waitForEver() { descriptor.setTimeout(.zero, of: SO_RCVTIMEO) }

  func write(_ line: [UInt8]) throws(ControlClientError) {
    var rest = (line + [UInt8(ascii: "\n")])[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw errno == EAGAIN ? .silent(path) : .lost }
      rest = rest.dropFirst(count)
    }
  }

  /// The lines completed by what has come; waits for at least a byte.
  func read(into splitter: inout LineSplitter) throws(ControlClientError) -> [[UInt8]] {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor.number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw errno == EAGAIN ? .silent(path) : .lost }
      guard count > 0 else { throw .lost }
      var lines: [[UInt8]] = []
      buffer.withUnsafeBytes { bytes in
        splitter.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(count))) { _, content in
          if case .line(let line) = content { lines.append(line) }
        }
      }
      return lines
    }
  }

  /// Ends both directions: a waiting ``read(into:)`` throws ``ControlClientError/lost``.
  func end() {
    _ = shutdown(descriptor.number, Int32(SHUT_RDWR))
  }
}
