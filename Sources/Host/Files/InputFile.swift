package import Glibc

/// Files that are read from their beginning to their end. Reading one never waits for ever.
package enum InputFile {
  private static let chunk = 65_536

  /// How a program came by a file's path.
  package enum Place: Sendable {
    /// Found in a folder, or at a fixed place: only a regular file, or a link to one, is opened. To open
    /// something else could wait, or do something to a device.
    case found
    /// Named by a person, who may also mean a shell's `/dev/stdin` or `/dev/fd/63`, whose writer is
    /// waited for, a terminal, or `/dev/null`.
    case named
  }

  /// Reads a file piece by piece. What is written meanwhile at its end is left out.
  ///
  /// - Parameters:
  ///   - look: gets the status of the file that is read, before its first piece.
  ///   - take: returns false when it has seen enough.
  package static func read(
    _ path: String,
    _ place: Place = .found,
    look: (stat) -> Void = { _ in },
    take: (UnsafeRawBufferPointer.SubSequence) -> Bool
  ) throws(SystemError) {
    let (file, status) = try open(path, place)
    look(status)
    // Files of the kernel have no size.
    var left = status.isRegularFile && status.st_size > 0 ? Int(status.st_size) : .max
    var buffer = [UInt8](repeating: 0, count: chunk)
    while left > 0 {
      let count = Glibc.read(file.number, &buffer, min(buffer.count, left))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read \(path)") }
      if count == 0 { return }
      left -= count
      guard buffer.withUnsafeBytes({ take($0.prefix(count)) }) else { return }
    }
  }

  private static func open(
    _ path: String,
    _ place: Place
  ) throws(SystemError) -> (FileDescriptor, stat) {
    var status = stat()
    if place == .found {
      guard stat(path, &status) == 0 else { throw SystemError("open \(path)") }
      guard status.isRegularFile else { throw notRegular(path, status) }
    }
    // Non-blocking, because opening a FIFO would otherwise wait for its writer; and a terminal does
    // not become the program's own.
    var number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    // Standard input may be a socket, as under sshd, which can't be opened again.
    if number < 0, errno == ENXIO, place == .named, path == "/dev/stdin" {
      number = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
    }
    guard number >= 0 else { throw SystemError("open \(path)") }
    let file = FileDescriptor(owning: number)
    guard fstat(number, &status) == 0 else { throw SystemError("open \(path)") }
    guard status.isRegularFile || place == .named && hasEnd(file, status, path) else {
      throw notRegular(path, status)
    }
    try file.setBlocking()
    return (file, status)
  }

  /// Whether a person's file ends although it is no regular one.
  private static func hasEnd(_ file: FileDescriptor, _ status: stat, _ path: String) -> Bool {
    switch status.st_mode & S_IFMT {
    // Source: Linux, Documentation/admin-guide/devices.txt: 1, 3 is /dev/null. /dev/zero has no end.
    case S_IFCHR: isatty(file.number) == 1 || status.st_rdev == 0x103
    case S_IFIFO, S_IFSOCK: path.hasPrefix("/dev/") || path.hasPrefix("/proc/self/fd/")
    default: false
    }
  }

  private static func notRegular(_ path: String, _ status: stat) -> SystemError {
    status.st_mode & S_IFMT == S_IFDIR
      ? SystemError("read \(path)", code: EISDIR)
      : .notRegular(path)
  }

  /// Reads a small file at once.
  ///
  /// - Returns: nil when it has more than `longest` bytes.
  package static func bytes(
    _ path: String,
    _ place: Place = .found,
    longest: Int
  ) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    try read(path, place) {
      bytes += $0
      return bytes.count <= longest
    }
    return bytes.count <= longest ? bytes : nil
  }
}

extension stat {
  package var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }

  /// When it was written last, in nanoseconds of the wall clock.
  package var written: Int64 { Int64(st_mtim.tv_sec) * 1_000_000_000 + Int64(st_mtim.tv_nsec) }
}
