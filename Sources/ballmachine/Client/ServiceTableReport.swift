import ControlProtocol
import Host
import Programs

extension TableRecord {
  /// The commands in force.
  var report: RecordReport<Self> {
    let entries = entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let lines = entries + [("out of court", fallback), ("stop", stopCommand)]
    let width = lines.map(\.0.count).max() ?? 0
    return RecordReport("table", self, lines: lines.map { "\(padded($0.0, to: width))  \($0.1)" })
  }
}
