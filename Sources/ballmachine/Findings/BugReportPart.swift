import Host
import Programs

/// A file of a bug report.
struct BugReportPart: LinedReport {
  var event = "part"
  /// The file's name.
  var file: String
  /// The file's size.
  var bytes: Int
  /// What is in the file.
  var contents: String

  var lines: [String] {
    let head = "\(padded(file, to: 18)) "
    let size = "\(max(1, (bytes + 512) / 1024)) KiB"
    return hanging(head, wrapped("\(contents) (\(size))", to: 79 - head.count))
  }
}
