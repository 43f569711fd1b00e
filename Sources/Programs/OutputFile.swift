import Glibc
import Host

/// A file that others read while we write it.
package enum OutputFile {
  /// Replaces the file in one step: a reader sees the old text or the new one. All users may read
  /// it, as far as the umask allows.
  package static func replace(_ path: String, with text: String) throws(Failure) {
    do throws(SystemError) { try ReplacedFile.write(Array(text.utf8), to: path) } catch {
      throw Failure(
        [EACCES, EPERM, EROFS].contains(error.code) ? .noPermission : .inputOutput,
        "\(path): can't be written: \(String(cString: strerror(error.code)))"
      )
    }
  }
}
