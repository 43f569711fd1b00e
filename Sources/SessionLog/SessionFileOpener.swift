import Glibc
import Host

/// Makes a session's files, and room for them.
struct SessionFileOpener: Sendable {
  typealias Create = @Sendable (SessionFileName) throws(SystemError) -> FileDescriptor

  let directory: SessionDirectory
  /// The bytes that all sessions' files may have.
  let totalSize: Int
  /// The bytes that the files being written may have.
  let room: Int
  /// The session's beginning, as names have it.
  let beginning: String
  /// Nil: the directory makes its files.
  let create: Create?

  /// Nil until the first file is there.
  private(set) var session: Int?

  /// - Parameters:
  ///   - kept: the other file that is written now.
  ///   - head: the file's first lines.
  mutating func open(
    _ kind: SessionFileName.Kind,
    _ part: Int,
    keeping kept: SessionFileName?,
    head: (_ session: Int) -> [UInt8]
  ) throws(SystemError) -> SessionFile {
    try directory.makeRoom(room, of: totalSize, keeping: Set([kept].compactMap(\.self)))
    let session = if let session { session } else { try nextSession }
    let name = SessionFileName(session: session, beginning: beginning, part: part, kind: kind)
    let path = directory.path(of: name)
    let descriptor = if let create { try create(name) } else { try directory.create(name) }
    var file = SessionFile(descriptor, name: name, path: path)
    do throws(SystemError) {
      try file.append(head(session)[...])
    } catch {
      // Otherwise every try on a full disk would leave another empty file.
      _ = unlink(path)
      throw error
    }
    self.session = session
    return file
  }

  private var nextSession: Int {
    get throws(SystemError) { (try directory.files().last?.session ?? 0) + 1 }
  }
}
