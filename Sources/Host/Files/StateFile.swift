import Glibc

/// A small file in the state directory. Even after a crash it is complete or absent.
///
/// One process at a time writes it: the holder of the ``MachineLock``.
package struct StateFile: Hashable, Sendable {
  /// We write no longer file, unless its owner says so.
  package static let longest = 4096

  package let directory: StateDirectory
  package let path: String
  private let longest: Int
  private let mode: UInt32

  /// - Parameters:
  ///   - longest: the bytes that it may have.
  ///   - mode: who may read it, as far as the umask allows.
  package init(
    _ name: String,
    in directory: StateDirectory,
    longest: Int = longest,
    mode: UInt32 = 0o644
  ) {
    self.directory = directory
    self.longest = longest
    self.mode = mode
    path = directory.path(of: name)
  }

  /// The file's content; nil when there is no file.
  package func read() throws(StateFileError) -> [UInt8]? {
    let owners: Set<UInt32>?
    do throws(StateDirectoryError) { owners = try directory.owners() } catch {
      throw .directory(error)
    }
    guard let owners else { return nil }
    // Non-blocking, because opening a FIFO or a device might otherwise wait.
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else {
      switch errno {
      case ENOENT: return nil
      // No link is followed, and no socket can be opened.
      case ELOOP, ENXIO: throw .broken("is not a regular file")
      default: throw .broken("can't be read (\(String(cString: strerror(errno))))")
      }
    }
    let file = FileDescriptor(owning: number)
    var status = stat()
    guard fstat(number, &status) == 0, status.isRegularFile else {
      throw .broken("is not a regular file")
    }
    guard owners.contains(status.st_uid), status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw .broken("may have been written by another user")
    }
    return try bytes(of: file)
  }

  private func bytes(of file: FileDescriptor) throws(StateFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: longest + 1)
    while true {
      let count = Glibc.read(file.number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .broken("can't be read (\(String(cString: strerror(errno))))") }
      if count == 0 { return bytes }
      bytes += buffer.prefix(count)
      guard bytes.count <= longest else { throw .broken("is too long") }
    }
  }

  /// Renames an unusable file, so that it can still be examined.
  ///
  /// - Returns: where it is now.
  package func setAside() throws(SystemError) -> String {
    let attempt = "set \(path) aside"
    // Replaces an older one. Only a directory blocks a file, and a file blocks a directory.
    for number in 1...9 {
      let aside = path + ".broken" + (number == 1 ? "" : "-\(number)")
      if rename(path, aside) == 0 { return aside }
      guard [EISDIR, ENOTDIR, ENOTEMPTY, EEXIST].contains(errno) else { break }
    }
    throw SystemError(attempt)
  }

  /// Keeps an unusable file under another name, before another one is written in its place. A crash in
  /// between leaves it in its place, too, but for a directory.
  ///
  /// - Returns: what a technician should know, in a sentence without a full stop.
  package func makeWay() -> String {
    let aside = path + ".broken"
    _ = unlink(aside)
    if link(path, aside) == 0 { return "what could not be read is now \(aside)" }
    do throws(SystemError) { return "what could not be read is now \(try setAside())" } catch {
      return "\(error)"
    }
  }

  /// Replaces the file atomically: after a power failure the old or the new one is there.
  package func write(_ bytes: [UInt8]) throws(StateFileError) {
    do throws(StateDirectoryError) { try directory.prepare() } catch { throw .directory(error) }
    do throws(SystemError) {
      // One name, so that a crash leaves one at most.
      try ReplacedFile.write(bytes, to: path, mode: mode, through: path + ".new")
    } catch {
      throw .system(error)
    }
    Directory.flush(holding: path)
  }

  package func remove() throws(StateFileError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .system(SystemError("remove \(path)"))
    }
    Directory.flush(holding: path)
  }
}

/// Why a state file can't be used.
package enum StateFileError: Error, Hashable, Sendable {
  /// The file is there, but not as we left it. The text continues the file's name.
  case broken(String)
  case directory(StateDirectoryError)
  case system(SystemError)
}

extension StateFileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .broken(let how): how
    case .directory(let error): error.description
    case .system(let error): error.description
    }
  }
}
