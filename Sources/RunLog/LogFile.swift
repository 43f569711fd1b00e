import Glibc
import Host

/// A file of whole lines that only grows.
struct LogFile: Sendable {
  let name: LogFileName
  /// The bytes that are in it for certain: whole lines.
  private(set) var size = 0
  private var isSynced = true
  private let descriptor: FileDescriptor
  private let path: String

  init(_ descriptor: FileDescriptor, name: LogFileName, path: String) {
    self.descriptor = descriptor
    self.name = name
    self.path = path
  }

  /// Adds whole lines.
  ///
  /// When it fails, ``size`` counts the whole lines that were written; a torn line at the end is
  /// removed if the system allows it.
  mutating func append(_ lines: ArraySlice<UInt8>) throws(SystemError) {
    var rest = lines
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor.number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // Nothing written and no error: treat the disk as full.
      let code = count < 0 ? errno : count == 0 ? ENOSPC : 0
      guard code == 0 else {
        takeBackTornLine(written: lines[..<rest.startIndex])
        throw SystemError("write \(path)", code: code)
      }
      isSynced = false
      rest = rest.dropFirst(count)
    }
    size += lines.count
  }

  private mutating func takeBackTornLine(written: ArraySlice<UInt8>) {
    let whole = written.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? written.startIndex
    size += written[..<whole].count
    if whole < written.endIndex { _ = ftruncate(descriptor.number, off_t(size)) }
  }

  /// Syncs the file to the disk: its content survives a power failure from now on.
  mutating func sync() throws(SystemError) {
    guard !isSynced else { return }
    // Never again for the same bytes: after a failure the kernel has dropped them.
    isSynced = true
    guard fdatasync(descriptor.number) == 0 else { throw SystemError("write \(path)") }
  }

  /// Whether the file was deleted, or ends in a torn line that couldn't be removed.
  var isUnusable: Bool {
    var status = stat()
    return fstat(descriptor.number, &status) != 0 || status.st_nlink == 0
      || (status.isRegularFile && status.st_size != off_t(size))
  }
}
