import Host
import Programs

/// One file of a bug report, and what is in it.
struct BugReportPart: LinedReport {
  var event = "part"
  var file: String
  var bytes: Int
  var contents: String

  var lines: [String] {
    let head = "\(padded(file, to: 18)) "
    let size = "\(max(1, (bytes + 512) / 1024)) KiB"
    return hanging(head, wrapped("\(contents) (\(size))", to: 79 - head.count))
  }
}
