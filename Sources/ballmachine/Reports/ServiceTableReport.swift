import ControlProtocol
import Host
import Programs

/// The commands in force.
struct ServiceTableReport: Report {
  var table: TableRecord

  func encode(to encoder: any Encoder) throws {
    try encoder.encode(table, as: "table")
  }

  var text: String {
    let entries = table.entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let lines = entries + [("out of court", table.fallback), ("stop", table.stopCommand)]
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { "\(padded($0.0, to: width))  \($0.1)" }.joined(separator: "\n")
  }
}
