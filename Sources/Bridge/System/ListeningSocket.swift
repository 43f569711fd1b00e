package import Glibc

/// A Unix socket that listens at a path, and removes that path with its last holder.
package final class ListeningSocket: Sendable {
  /// Owner and group may connect.
  package static let mode: mode_t = 0o660
  private static let backlog: Int32 = 16

  package let path: String
  let descriptor: FileDescriptor
  private let identity: FileIdentity

  /// Listens at `path`, in place of a stale socket that nobody listens on.
  ///
  /// - Parameter mode: who may connect.
  package init(path: String, mode: mode_t = mode) throws(UnixSocketError) {
    let address = try UnixSocketAddress(path: path)
    self.path = path
    do throws(SystemError) {
      // Two processes that find the same stale socket must not remove each other's new one.
      let turn = DirectoryTurn(of: path)
      defer { turn.end() }

      try Self.removeStale(address)
      let descriptor = try UnixSocketAddress.socket()
      try descriptor.setNonBlocking()
      guard address.withSocketAddress({ bind(descriptor.number, $0, $1) }) == 0 else {
        throw SystemError("listen on \(path)")
      }
      // Before `listen`, so that nobody connects while the mode is still the umask's.
      guard chmod(path, mode) == 0, let identity = FileIdentity(path: path),
        listen(descriptor.number, Self.backlog) == 0
      else {
        let error = SystemError("listen on \(path)")
        _ = unlink(path)
        throw error
      }
      self.descriptor = descriptor
      self.identity = identity
    } catch {
      switch error.code {
      case EADDRINUSE: throw .inUse(path)
      case ENOTSOCK: throw .notASocket(path)
      default: throw .system(error)
      }
    }
  }

  deinit {
    // Only our own file: somebody may have replaced it.
    if FileIdentity(path: path) == identity { _ = unlink(path) }
  }

  /// The next client that waits.
  ///
  /// - Returns: nil when none does.
  package func accept() throws(SystemError) -> FileDescriptor? {
    while true {
      let number = Glibc.accept(descriptor.number, nil, nil)
      if number >= 0 {
        let client = FileDescriptor(owning: number)
        try client.setNonBlocking()
        return client
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EAGAIN: return nil
      default: throw SystemError("accept a client on \(path)")
      }
    }
  }

  private static func removeStale(_ address: UnixSocketAddress) throws(SystemError) {
    guard let identity = FileIdentity(path: address.path) else { return }
    guard identity.isSocket else { throw SystemError("listen on \(address.path)", code: ENOTSOCK) }
    do throws(SystemError) {
      _ = try address.connected()
      throw SystemError("listen on \(address.path)", code: EADDRINUSE)
    } catch {
      guard error.code == ECONNREFUSED else { throw error }
    }
    guard unlink(address.path) == 0 || errno == ENOENT else {
      throw SystemError("remove the stale \(address.path)")
    }
  }
}

/// Which file a path names now.
private struct FileIdentity: Hashable, Sendable {
  let device: dev_t
  let inode: ino_t
  let isSocket: Bool

  init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
    isSocket = status.st_mode & S_IFMT == S_IFSOCK
  }
}

/// A lock on the directory of a path: whoever sets up a socket there takes turns.
private struct DirectoryTurn {
  private let descriptor: FileDescriptor?

  /// Waits for the turn; a directory that can't be opened for reading has none.
  init(of path: String) {
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let number = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    descriptor = number < 0 ? nil : FileDescriptor(owning: number)
    while let descriptor, flock(descriptor.number, LOCK_EX) != 0, errno == EINTR {}
  }

  func end() {
    if let descriptor { _ = flock(descriptor.number, LOCK_UN) }
  }
}
