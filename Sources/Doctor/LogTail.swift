import Glibc
package import Host
import RunLog

/// The end of a run log, in whole lines.
package enum LogTail {
  package enum Run: Sendable {
    case newest
    /// The newest run in which a ball could fly: after a crash, the service's new run has nothing of
    /// it. Where there is none, the newest.
    case newestWithSession
  }

  /// - Parameters:
  ///   - folder: of the run logs.
  ///   - longest: the bytes that are read at most.
  /// - Returns: the file's name, and its last lines; nil when there is no log.
  package static func of(
    _ run: Run,
    in folder: String,
    longest: Int
  ) throws(SystemError) -> (name: String, text: String)? {
    let directory = LogDirectory(path: folder)
    let runs = try directory.runs()
    let chosen = run == .newest ? nil : runs.last { !directory.isIdle($0) }
    guard let name = (chosen ?? runs.last)?.last else { return nil }
    let path = directory.path(of: name)
    // No link is followed: a bug report goes to strangers. Without O_NONBLOCK, opening a FIFO would block.
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { throw SystemError("open \(path)") }
    let file = FileDescriptor(owning: number)
    var status = stat()
    guard fstat(number, &status) == 0, status.isRegularFile else { throw .notRegular(path) }
    let end = lseek(file.number, 0, SEEK_END)
    let start = max(0, end - off_t(longest))
    var bytes = [UInt8](repeating: 0, count: longest)
    let count = pread(file.number, &bytes, longest, start)
    guard end >= 0, count >= 0 else { throw SystemError("read \(path)") }
    var lines = bytes.prefix(count)
    // The first line may be incomplete.
    if start > 0 { lines = lines.drop { $0 != UInt8(ascii: "\n") }.dropFirst() }
    return (name.text, String(decoding: lines, as: UTF8.self))
  }
}
