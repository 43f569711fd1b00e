import Glibc

/// The contents of directories.
package enum Directory {
  /// The names in a directory, in no order.
  package static func names(in path: String) throws(SystemError) -> [String] {
    guard let directory = opendir(path) else { throw SystemError("read \(path)") }
    defer { closedir(directory) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else {
        guard errno == 0 else { throw SystemError("read \(path)") }
        return names
      }
      // Read in place: an entry may be shorter than its structure, which must not be copied.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// The directory that holds `path`.
  static func holding(_ path: String) -> String {
    var path = Array(path.utf8CString)
    return path.withUnsafeMutableBufferPointer { String(cString: dirname($0.baseAddress)) }
  }

  /// Syncs the directory that holds `path`, or a power failure can lose or bring back its name.
  ///
  /// - Returns: false where that fails, as on file systems that can't do it.
  @discardableResult
  package static func flush(holding path: String) -> Bool {
    let number = open(holding(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return false }
    defer { close(number) }
    return fsync(number) == 0
  }

  /// The text of a symbolic link; nil when `path` is no link, or its text is too long.
  package static func target(ofLink path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    guard (1..<target.count).contains(count) else { return nil }
    return String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes an empty directory for this user alone, in `$TMPDIR` or `/tmp`.
  package static func makeTemporary(named prefix: String) throws(SystemError) -> String {
    let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(place)/\(prefix)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("create a folder in \(place)") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a directory and its contents, as far as this process may. Follows no link.
  package static func removeAll(_ path: String) {
    for name in (try? names(in: path)) ?? [] {
      let entry = "\(path)/\(name)"
      // EISDIR is Linux's answer for a directory; other entries that can't be removed stay.
      if unlink(entry) != 0, errno == EISDIR { removeAll(entry) }
    }
    _ = rmdir(path)
  }
}
