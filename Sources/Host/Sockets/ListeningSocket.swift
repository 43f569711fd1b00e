import Glibc

/// A Unix socket that listens at a path, and removes that path with its last holder; or at an abstract
/// name, which goes by itself.
package final class ListeningSocket: Sendable {
  /// Owner and group may connect.
  package static let mode: UInt32 = 0o660
  private static let backlog: Int32 = 16

  package let path: String
  package let descriptor: FileDescriptor
  /// Nil for an abstract name.
  private let identity: FileIdentity?

  /// Listens at `path`; replaces a stale socket without a listener.
  ///
  /// - Parameter mode: who may connect.
  package init(path: String, mode: UInt32 = mode) throws(UnixSocketError) {
    let address = try UnixSocketAddress(path: path)
    self.path = path
    do throws(SystemError) {
      // Two processes that find the same stale socket must not remove each other's new one.
      let lock = DirectoryLock(of: path)
      defer { lock.end() }

      try Self.removeStale(address)
      let descriptor = try UnixSocketAddress.socket()
      try descriptor.setNonBlocking()
      guard address.withSocketAddress({ bind(descriptor.number, $0, $1) }) == 0 else {
        throw SystemError("listen on \(path)")
      }
      // Before `listen`, so that no client connects while the umask still sets the mode.
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

  /// Lets a group connect to the socket at a path, too. Where it is missing, or this user is no member of it,
  /// the socket keeps the group that its folder has given it.
  package static func open(_ path: String, to group: String) {
    if let group = getgrnam(group) { _ = lchown(path, uid_t.max, group.pointee.gr_gid) }
  }

  /// Listens at an abstract name, where every user may connect.
  package init(abstract name: String) throws(UnixSocketError) {
    let address = try UnixSocketAddress(abstract: name)
    path = address.path
    identity = nil
    do throws(SystemError) {
      descriptor = try UnixSocketAddress.socket()
      try descriptor.setNonBlocking()
      let number = descriptor.number
      guard address.withSocketAddress({ bind(number, $0, $1) }) == 0,
        listen(number, Self.backlog) == 0
      else { throw SystemError("listen on \(path)") }
    } catch {
      throw error.code == EADDRINUSE ? .inUse(path) : .system(error)
    }
  }

  deinit {
    // Only our own file: another process may have replaced it.
    if identity != nil, isInPlace { _ = unlink(path) }
  }

  /// Whether clients that connect to the path still reach this socket.
  package var isInPlace: Bool { identity == nil || FileIdentity(path: path) == identity }

  /// Accepts the next waiting client.
  ///
  /// - Returns: nil when no client waits.
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

  /// How long no client is accepted after the system ran out of descriptors: one that waits would
  /// wake the thread again and again.
  package static let pause = Duration.seconds(1)
  /// How many clients are accepted in a turn: a storm of them must not delay those that are there.
  package static let turnLength = 16

  /// Accepts waiting clients, ``turnLength`` at most.
  ///
  /// - Parameter take: gets each; it throws where the system has no room for it.
  /// - Returns: false if the system has no room: the others wait in the backlog, for ``pause``.
  package func acceptTurn(_ take: (FileDescriptor) throws(SystemError) -> Void) -> Bool {
    do throws(SystemError) {
      for _ in 0..<Self.turnLength {
        guard let client = try accept() else { break }
        try take(client)
      }
      return true
    } catch {
      return false
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

/// A lock on the directory of a path: processes set up sockets there one at a time.
private struct DirectoryLock {
  /// Setting up a socket takes less. Any user who can read the directory can hold its lock for ever, and
  /// must not keep a service from starting.
  private static let patience = (tries: 50, pause: UInt32(20_000))

  private let descriptor: FileDescriptor?

  /// Waits up to a second for the lock, then goes on without it. Takes none if the directory can't be
  /// opened for reading.
  init(of path: String) {
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let number = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    descriptor = number < 0 ? nil : FileDescriptor(owning: number)
    guard let descriptor else { return }
    for _ in 0..<Self.patience.tries {
      guard flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 else { return }
      usleep(Self.patience.pause)
    }
  }

  func end() {
    if let descriptor { _ = flock(descriptor.number, LOCK_UN) }
  }
}
