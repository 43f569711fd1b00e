import Configuration
import ControlProtocol
import Host
import Programs
import YAML

/// What a reload of the configuration has changed.
struct ReloadReport: Report {
  var record: ReloadRecord

  var text: String {
    let (applied, atRestart) = (record.applied, record.atRestart)
    let now = applied.isEmpty ? "nothing new is in force" : "now in force: \(list(applied))"
    let later = atRestart.isEmpty ? "" : "; after a restart: \(list(atRestart))"
    let drill = record.changedDrill.map {
      "\nthe drill \($0) is loaded as it was: `ballmachine drill \($0)' loads the changed file"
    }
    return "configuration read: \(now)\(later)\(drill ?? "")"
  }

  func encode(to encoder: any Encoder) throws {
    try encoder.encode(record, as: "reload")
  }

  private func list(_ keys: [String]) -> String { keys.joined(separator: ", ") }
}

extension ReloadReport {
  init(_ reload: ConfigurationReload, changedDrill: String?) {
    record = ReloadRecord(
      applied: reload.changes.filter { $0.effect == .atOnce }.map(\.path),
      atRestart: reload.waiting,
      changedDrill: changedDrill
    )
  }
}

/// A reload that was refused, and why.
struct ReloadRefusal: Report {
  var event = "reloadRefused"
  var reason: String

  var text: String { reason }
}
