import Glibc
package import Host

/// The directory of the run logs, which never grows beyond its bound.
///
/// One process at a time writes here: the holder of the ``MachineLock``.
package struct LogDirectory: Hashable, Sendable {
  /// The name of the folder in the state directory.
  package static let name = "sessions"
  /// The most files. It bounds small ones, too: a service that restarts again and again leaves a
  /// file each time.
  package static let mostFiles = 1000
  /// The smallest file's size on a disk.
  private static let block = 4096

  package let path: String
  /// The directory above it, which is made as well; nil for one that a person has chosen.
  private let state: StateDirectory?

  package init(in state: StateDirectory) {
    path = state.path(of: Self.name)
    self.state = state
  }

  package init(path: String) {
    self.path = path
    state = nil
  }

  package func path(of name: LogFileName) -> String { path + "/" + name.text }

  /// What is named like our files, from the oldest to the newest. None while there is no directory.
  package func files() throws(SystemError) -> [LogFileName] {
    do throws(SystemError) {
      return try Directory.names(in: path).compactMap { LogFileName($0) }.sorted()
    } catch {
      guard error.code == ENOENT else { throw error }
      return []
    }
  }

  /// Our files are far shorter. A longer one may be a hole without end.
  private static let longest = 8 * LogWriter.longestPart

  /// What is named like our files, and is none: it is neither read nor removed.
  package func strangers() throws(SystemError) -> [SystemError] {
    try files().compactMap { stranger($0, stat) }
  }

  /// - Parameter look: `stat`, or `lstat` for what would be removed: a link is not ours, whatever it
  ///   leads to.
  private func stranger(
    _ name: LogFileName,
    _ look: (UnsafePointer<CChar>, UnsafeMutablePointer<stat>) -> Int32
  ) -> SystemError? {
    let path = path(of: name)
    var status = stat()
    guard look(path, &status) == 0 else {
      // The service may have removed it meanwhile; a link may lead nowhere.
      let error = SystemError("read \(path)")
      return lstat(path, &status) == 0 ? error : nil
    }
    guard status.isRegularFile else { return .notRegular(path) }
    guard status.st_size <= Self.longest else {
      return SystemError("read \(path)", code: EFBIG, reason: "it is too long for a session log")
    }
    return nil
  }

  /// The files of records, those of a run of the service together, from the oldest to the newest.
  /// Strangers are left out.
  package func runs() throws(SystemError) -> [[LogFileName]] {
    var runs: [[LogFileName]] = []
    // A crash can leave a part beside its thinned form, which has less, and sorts before it.
    for name in try files() where name.kind != .playerPositions && stranger(name, stat) == nil {
      if runs.last?.last?.run != name.run { runs.append([]) }
      if runs[runs.count - 1].last?.part == name.part { runs[runs.count - 1].removeLast() }
      runs[runs.count - 1].append(name)
    }
    return runs
  }

  /// Makes a new file.
  ///
  /// - Throws: `EEXIST` when there is one of that name.
  func create(_ name: LogFileName) throws(SystemError) -> FileDescriptor {
    try prepare()
    let path = path(of: name)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW
    let number = open(path, flags, 0o640)
    guard number >= 0 else { throw SystemError("create \(path)") }
    let file = FileDescriptor(owning: number)
    // The group may read, even with a stricter umask of the service.
    _ = fchmod(number, 0o640)
    // Take the folder's group, where root writes for the service; another user may not be in it.
    var folder = stat()
    if stat(self.path, &folder) == 0 { _ = fchown(number, .max, folder.st_gid) }
    Directory.flush(holding: path)
    return file
  }

  /// Shrinks the other files to leave `room` bytes of `total`, the oldest first. Feeders' records
  /// go first, mostly positions, so that feeders can't erase balls, safety and the link by talking.
  /// If that isn't enough, or the disk has no room for the shrunk files, whole files go. Where there
  /// are too many files, runs without a session go before all that.
  ///
  /// - Parameter kept: the files that are written now, whose bytes `room` includes.
  func makeRoom(
    _ room: Int,
    of total: Int,
    keeping kept: Set<LogFileName>
  ) throws(SystemError) {
    let ours = try files().filter { !kept.contains($0) && stranger($0, lstat) == nil }
    var left = try removeIdleRuns(from: ours, keeping: kept)
    var used = left.reduce(0) { $0 + size(of: $1) }
    var isFull = false
    func shrink(_ name: LogFileName) {
      let before = size(of: name)
      do throws(SystemError) {
        let rest = try removePositions(of: name)
        used += (rest.map(size(of:)) ?? 0) - before
        left = left.compactMap { $0 == name ? rest : $0 }
      } catch {
        // One that can't be read, on a bad sector, stays until whole files go.
        if [ENOSPC, EDQUOT].contains(error.code) { isFull = true }
      }
    }
    for name in left where used + room > total && name.kind != .thinned && !isFull {
      shrink(name)
    }
    if isFull {
      // The shrunk file is written before the file is removed: a small one needs the least room.
      for name in left where name.kind == .playerPositions { shrink(name) }
      isFull = false
      let records = left.filter { $0.kind == .records }.sorted { size(of: $0) < size(of: $1) }
      for name in records where used + room > total && !isFull { shrink(name) }
    }
    var count = left.count + kept.count
    for oldest in left {
      guard used + room > total || count >= Self.mostFiles else { return }
      used -= size(of: oldest)
      try remove(oldest)
      count -= 1
    }
  }

  /// - Returns: the shrunk file; nil if nothing is left.
  private func removePositions(of name: LogFileName) throws(SystemError) -> LogFileName? {
    if name.kind == .records {
      do throws(SystemError) { return try thin(name) } catch {
        guard error.code == ENOENT else { throw error }
      }
    }
    try remove(name)
    return nil
  }

  /// The file's size in whole blocks of a disk.
  func size(of name: LogFileName) -> Int {
    var status = stat()
    guard lstat(path(of: name), &status) == 0 else { return 0 }
    return (Int(status.st_size) + Self.block - 1) / Self.block * Self.block
  }

  private func prepare() throws(SystemError) {
    do throws(StateDirectoryError) { try state?.prepare() } catch {
      if case .system(let error) = error { throw error }
      throw SystemError("create \(path), because \(error)", code: EPERM)
    }
    guard mkdir(path, 0o750) == 0 else {
      if errno == EEXIST { return }
      throw SystemError("create the directory \(path)")
    }
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard number >= 0 else { throw SystemError("open \(path)") }
    try FileDescriptor(owning: number).giveToOwner(ofFolderHolding: path)
    Directory.flush(holding: path)
  }
}
