import ControlProtocol
import Host
import JSON
import Programs
import SessionSummary

extension DrillsRecord {
  /// All drills, a paragraph each.
  var report: RecordReport<Self> {
    RecordReport("drills", self, lines: Array(drills.map(\.lines).joined(separator: [""])))
  }
}

extension DrillRecord {
  /// The name and what it is, then a line for the drill and for each of its levels.
  var lines: [String] {
    var lines = ["\(name)" + (title.map { "  \($0)" } ?? "")]
    if let reason {
      lines += reason.split(separator: "\n").map { "  can't be used: \($0)" }
    }
    lines += about.map { wrapped($0, to: 76).map { "  \($0)" } } ?? []
    return lines + levels.map { "  \($0.text)" }
  }
}

extension DrillRecord.Level {
  /// `beginner      4 × 8 balls every 7 s, rest 30 s: 4:57`
  var text: String {
    let sets =
      sets == 1 ? counted(ballsPerSet, "ball") : "\(sets) × \(counted(ballsPerSet, "ball"))"
    let rest = rest > 0 && self.sets > 1 ? ", rest \(rest.plain) s" : ""
    return "\(padded(level ?? "", to: 12))  \(sets) every \(interval.plain) s\(rest):"
      + " \(seconds.rounded(.down).clockText)"
  }
}
