import Glibc

/// A file with one secret line, which belongs to this user and which no other one may read.
package enum SecretFile {
  private static let longest = 1_024

  /// - Throws: if others could read it, too, or it is not one line of text.
  package static func line(of path: String) throws(SystemError) -> String {
    func refusal(_ code: Int32, _ reason: String) -> SystemError {
      SystemError("use the password in \(path)", code: code, reason: reason)
    }
    var status = stat()
    guard lstat(path, &status) == 0 else { throw SystemError("open \(path)") }
    guard status.isRegularFile else {
      throw refusal(EINVAL, "it is not a regular file")
    }
    guard [geteuid(), 0].contains(status.st_uid) || geteuid() == 0 else {
      throw refusal(EPERM, "it belongs to another user: run `chown' on it")
    }
    guard status.st_mode & 0o177 == 0 else {
      throw refusal(EPERM, "its permissions are too open: run `chmod 600 \(path)'")
    }
    guard var bytes = try InputFile.bytes(path, longest: longest) else {
      throw refusal(EINVAL, "it is longer than \(longest) bytes")
    }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    guard !bytes.isEmpty, !bytes.contains(where: { $0 < 0x20 }),
      let line = String(validating: bytes, as: UTF8.self)
    else { throw refusal(EINVAL, "it must be one line of text") }
    return line
  }
}
