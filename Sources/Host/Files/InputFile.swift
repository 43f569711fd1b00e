package import Glibc

/// Files that are read from their beginning to their end.
package enum InputFile {
  private static let chunk = 65_536

  /// Reads a file piece by piece.
  ///
  /// - Parameters:
  ///   - look: gets the status of the file that is read, before its first piece.
  ///   - take: returns false when it has seen enough.
  package static func read(
    _ path: String,
    look: (stat) -> Void = { _ in },
    take: (UnsafeRawBufferPointer.SubSequence) -> Bool
  ) throws(SystemError) {
    let (file, status) = try open(path)
    look(status)
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      let count = Glibc.read(file.number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read \(path)") }
      if count == 0 { return }
      guard buffer.withUnsafeBytes({ take($0.prefix(count)) }) else { return }
    }
  }

  /// Opens a file that has an end: a regular one, or a shell's `/dev/stdin` or `/dev/fd/63`, whose
  /// writer it waits for.
  private static func open(_ path: String) throws(SystemError) -> (FileDescriptor, stat) {
    // Non-blocking, because opening a FIFO would otherwise wait for its writer.
    var number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    // Standard input may be a socket, as under sshd, which can't be opened again.
    if number < 0, errno == ENXIO, path == "/dev/stdin" {
      number = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
    }
    guard number >= 0 else { throw SystemError("open \(path)") }
    let file = FileDescriptor(owning: number)
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw SystemError("open \(path)") }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFDIR, S_IFCHR: break
    case _ where path.hasPrefix("/dev/") || path.hasPrefix("/proc/self/fd/"): break
    default: throw SystemError("read \(path)", code: EINVAL, reason: "it is not a regular file")
    }
    try file.setBlocking()
    return (file, status)
  }

  /// Reads a small file at once.
  ///
  /// - Returns: nil when it has more than `longest` bytes.
  package static func bytes(_ path: String, longest: Int) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    try read(path) {
      bytes += $0
      return bytes.count <= longest
    }
    return bytes.count <= longest ? bytes : nil
  }
}
