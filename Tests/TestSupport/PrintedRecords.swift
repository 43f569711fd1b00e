import Glibc

/// What the program prints, records and sends in tests, for `tools/lib/records`, which compares it
/// with the schema.
package enum PrintedRecords {
  /// The file that `tools/test` has named; nil without it.
  private static let file: Int32? = {
    guard let path = getenv("BALLMACHINE_RECORDS") else { return nil }
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    return file < 0 ? nil : file
  }()

  /// Adds lines, which may also be none of JSON.
  package static func add(_ lines: String) {
    guard let file, lines.contains("{") else { return }
    var text = lines
    if !text.hasSuffix("\n") { text += "\n" }
    // In one call, so that tests don't mix their lines.
    let count = text.utf8.count
    let written = text.withUTF8 { write(file, $0.baseAddress, count) }
    precondition(written == count, "the records can't be written")
  }
}
