import Glibc
import Host

/// A run's files of one kind, one after another, and the lines that wait for them.
///
/// Whole lines that can't be written wait for the next try: nothing is written twice.
struct LogParts: Sendable {
  /// The bytes after which the next file begins.
  let partSize: Int
  private(set) var file: LogFile?
  private(set) var unwritten: [UInt8] = []
  private var part = 0
  /// The bytes of lines, without heads, in all files.
  private var written = 0
  /// The bytes of the present file's head.
  private var head = 0

  init(partSize: Int) {
    self.partSize = partSize
  }

  /// - Parameter lines: each with its end.
  mutating func append(_ lines: some Sequence<UInt8>) { unwritten += lines }

  /// Makes the next file, with its head. It gets the file's number in the run, from 1, and the
  /// bytes of lines in all files before it.
  typealias Opening = (_ part: Int, _ written: Int) throws(SystemError) -> LogFile

  /// Writes everything that waits.
  mutating func flush(_ open: Opening) throws(SystemError) {
    while !unwritten.isEmpty {
      if file == nil { try begin(open) }
      try fill()
    }
  }

  private mutating func begin(_ open: Opening) throws(SystemError) {
    do throws(SystemError) {
      file = try open(part + 1, written)
    } catch {
      // Another program made a file of this name: the next try takes the name after it.
      if error.code == EEXIST { part += 1 }
      throw error
    }
    part += 1
    head = file?.size ?? 0
  }

  /// Writes as many of the waiting lines as the present file may have, and closes it when there are
  /// more.
  private mutating func fill() throws(SystemError) {
    guard var file else { return }
    let lines = lines(within: partSize - file.size, orOne: file.size == head)
    let isLast = lines.count < unwritten.count
    let before = file.size
    defer {
      unwritten.removeFirst(file.size - before)
      written += file.size - before
    }
    do throws(SystemError) {
      try file.append(lines)
      self.file = file
    } catch {
      // A full disk may have room again; after any other error the next try opens a new file.
      self.file = [ENOSPC, EDQUOT].contains(error.code) && !file.isUnusable ? file : nil
      throw error
    }
    if isLast { try close() }
  }

  /// The waiting lines that fit into `room`.
  ///
  /// - Parameter orOne: whether to take the first line even if it is too long.
  private func lines(within room: Int, orOne: Bool) -> ArraySlice<UInt8> {
    if unwritten.count <= room { return unwritten[...] }
    let end = UInt8(ascii: "\n")
    if let last = unwritten.prefix(max(room, 0)).lastIndex(of: end) { return unwritten[...last] }
    return orOne ? unwritten[...(unwritten.firstIndex(of: end) ?? unwritten.endIndex - 1)] : []
  }

  /// Syncs to the disk what is written, and gives up a file that was deleted.
  mutating func sync() throws(SystemError) {
    guard file != nil else { return }
    try file?.sync()
    if file?.isUnusable == true { file = nil }
  }

  /// The next line begins a new file.
  mutating func close() throws(SystemError) {
    try file?.sync()
    file = nil
  }
}
