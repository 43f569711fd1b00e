import Glibc

/// Notices at once that a file of a running service is gone, or that another one stands in its place, and
/// makes it again: a logout removes `XDG_RUNTIME_DIR`, and a cleaner of temporary files what is old.
///
/// The kernel tells of changes in the folders along the paths (inotify) and of mounts; nothing polls. Only
/// while a file can't be made it is tried again from time to time, and where this user's programs have taken
/// all that inotify gives to a user, the files are looked at from time to time.
package final class SocketKeeper: Sendable {
  package enum News: Hashable, Sendable {
    /// These paths were gone, and are there again.
    case restored([String])
    /// Why one is not.
    case lost(String)
  }

  private static let retry: Int32 = 2_000

  private let listeners: [KeptListener]
  private let lock: MachineLock?
  private let folder: Folder

  /// - Parameters:
  ///   - directory: is made again, too, where its parent is there.
  ///   - lock: the directory's.
  package init(_ listeners: [KeptListener], in directory: RuntimeDirectory, lock: MachineLock?) {
    self.listeners = listeners
    self.lock = lock
    folder = Folder(directory.path)
  }

  /// Keeps the files until the task is cancelled.
  ///
  /// - Parameter tell: is told each change, on a thread of the keeper's.
  package func run(_ tell: @escaping @Sendable (News) -> Void) async throws {
    try await WaitingThread.run { [self] interruption in
      let watch = PathWatch()
      var lost: String?
      while true {
        // Watched first: what changes afterwards is told.
        watch.follow(listeners.map(\.path) + [lock?.path].compactMap(\.self))
        let (restored, failure) = restore()
        if failure != lost || !restored.isEmpty {
          if let failure { tell(.lost(failure)) } else { tell(.restored(restored)) }
          lost = failure
        }
        // Once more, since the folder may be a new one.
        if !restored.isEmpty { continue }
        guard watch.wait(for: failure == nil ? -1 : Self.retry, or: interruption) else { return }
      }
    }
  }

  /// - Returns: the paths that are there again, and why others are not.
  private func restore() -> (restored: [String], failure: String?) {
    var restored: [String] = []
    do {
      for listener in listeners where !listener.isInPlace {
        try folder.restore(for: listener.path)
        try listener.renew()
        restored.append(listener.path)
      }
      if let lock, !lock.isInPlace {
        try folder.restore(for: lock.path)
        try lock.renew()
        restored.append(lock.path)
      }
      return (restored, nil)
    } catch {
      return (restored, "\(error)")
    }
  }
}

/// The runtime directory as it was when the service began.
private struct Folder: Sendable {
  private let path: String
  private let mode: mode_t
  private let owner: uid_t
  private let group: gid_t
  private let isSafe: Bool

  init(_ path: String) {
    self.path = path
    var status = stat()
    let isThere = lstat(path, &status) == 0
    mode = isThere ? status.st_mode & 0o7777 : 0o700
    owner = isThere ? status.st_uid : geteuid()
    group = isThere ? status.st_gid : getegid()
    isSafe = PathOwners(of: path).weakness == nil
  }

  /// Makes the folder again if it is missing. Its parent is not ours to make.
  func restore(for file: String) throws {
    guard file.hasPrefix(path + "/") else { return }
    if mkdir(path, mode) == 0 {
      // Whatever the umask says. Only root can give it away.
      _ = chown(path, owner, group)
      _ = chmod(path, mode)
    } else if errno != EEXIST {
      throw SystemError("make the folder \(path) again")
    }
    let owners = PathOwners(of: path)
    var status = stat()
    guard lstat(path, &status) == 0 else { throw SystemError("use the folder \(path)") }
    guard !isSafe || owners.weakness == nil, [0, owner, geteuid()].contains(status.st_uid) else {
      let weakness = owners.weakness ?? "it belongs to the user \(UserName(status.st_uid))"
      throw RuntimeDirectoryError.notSafe(path, weakness)
    }
  }
}

/// The folders along some paths, and what changes in them.
private final class PathWatch {
  /// Source: inotify(7). A folder that is removed while sockets are in it says so only in its parent.
  private static let mask = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
  )

  /// How long a blind watch waits at most, in milliseconds.
  private static let look: Int32 = 2_000

  /// Nil: this user has no more of them (`fs.inotify.max_user_instances`).
  private let inotify: FileDescriptor?
  /// Whether changes may come untold.
  private var isBlind: Bool
  /// Tells of mounts, where there is a `/proc`. Source: proc(5), `mounts`.
  private let mounts: FileDescriptor?
  private var watches: Set<Int32> = []
  /// What the folders and files on the way are called.
  private var names: Set<[UInt8]> = []

  init() {
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    inotify = number < 0 ? nil : FileDescriptor(owning: number)
    isBlind = number < 0
    let mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    self.mounts = mounts < 0 ? nil : FileDescriptor(owning: mounts)
  }

  func follow(_ paths: [String]) {
    guard let inotify else { return }
    names = []
    isBlind = false
    var watches: Set<Int32> = []
    for path in Set(paths + paths.compactMap(Self.withoutLinks)) {
      var folder = ""
      for part in path.split(separator: "/") {
        names.insert(Array(part.utf8))
        let watch = inotify_add_watch(inotify.number, folder.isEmpty ? "/" : folder, Self.mask)
        if watch >= 0 { watches.insert(watch) } else if errno == ENOSPC { isBlind = true }
        folder += "/" + part
      }
    }
    for old in self.watches.subtracting(watches) { _ = inotify_rm_watch(inotify.number, old) }
    self.watches = watches
  }

  /// The path whose folder has no links on its way.
  private static func withoutLinks(_ path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), let real = realpath(String(path[..<slash]), nil)
    else { return nil }
    defer { free(real) }
    return String(cString: real) + path[slash...]
  }

  /// Waits for a change on the way to the paths.
  ///
  /// - Parameter limit: in milliseconds; negative: none.
  /// - Returns: false when the interruption comes.
  func wait(for limit: Int32, or interruption: FileDescriptor) -> Bool {
    let limit = isBlind ? Self.look : limit
    while true {
      var polled = [
        pollfd(fd: interruption.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: inotify?.number ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: mounts?.number ?? -1, events: Int16(POLLPRI), revents: 0),
      ]
      let count = poll(&polled, nfds_t(polled.count), limit)
      if polled[0].revents != 0 { return false }
      if count == 0 || polled[2].revents != 0 { return true }
      if polled[1].revents != 0, isAboutPaths() { return true }
    }
  }

  /// Reads what has changed. A name that is none of ours is no reason to look.
  private func isAboutPaths() -> Bool {
    var isOurs = false
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = inotify.map { read($0.number, &buffer, buffer.count) } ?? 0
      guard count > 0 else { return isOurs }
      var offset = 0
      let header = MemoryLayout<inotify_event>.size
      while offset + header <= count {
        // struct inotify_event: wd, mask, cookie, len, 32 bits each, then the name with zeros behind it.
        let length = buffer.withUnsafeBytes {
          Int($0.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
        }
        let name = buffer[(offset + header)..<min(offset + header + length, count)]
          .prefix { $0 != 0 }
        // Without a name it is about a folder itself, or events were lost.
        if name.isEmpty || names.contains(Array(name)) { isOurs = true }
        offset += header + length
      }
    }
  }
}
