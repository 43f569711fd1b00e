import Glibc
import Host

/// Makes a run's files, and room for them.
struct LogFileOpener: Sendable {
  typealias Create = @Sendable (LogFileName) throws(SystemError) -> FileDescriptor

  let directory: LogDirectory
  /// The bytes that all runs' files may have.
  let totalSize: Int
  /// The bytes that the files being written may have.
  let room: Int
  /// The run's beginning, as names have it.
  let beginning: String
  /// Nil: the directory makes its files.
  let create: Create?

  /// Nil until the first file is there.
  private(set) var run: Int?

  /// - Parameters:
  ///   - kept: the other file that is written now.
  ///   - head: the file's first lines.
  mutating func open(
    _ kind: LogFileName.Kind,
    _ part: Int,
    keeping kept: LogFileName?,
    head: (_ run: Int) -> [UInt8]
  ) throws(SystemError) -> LogFile {
    try directory.makeRoom(room, of: totalSize, keeping: Set([kept].compactMap(\.self)))
    let run = if let run { run } else { try nextRun }
    let name = LogFileName(run: run, beginning: beginning, part: part, kind: kind)
    let path = directory.path(of: name)
    let descriptor = if let create { try create(name) } else { try directory.create(name) }
    var file = LogFile(descriptor, name: name, path: path)
    do throws(SystemError) {
      try file.append(head(run)[...])
    } catch {
      // Otherwise every try on a full disk would leave another empty file.
      _ = unlink(path)
      throw error
    }
    self.run = run
    return file
  }

  private var nextRun: Int {
    get throws(SystemError) { (try directory.files().last?.run ?? 0) + 1 }
  }
}
