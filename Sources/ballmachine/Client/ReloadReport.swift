import Configuration
import ControlProtocol
import Host
import Programs
import YAML

extension ReloadRecord {
  init(_ reload: ConfigurationReload, changedDrill: String?, training: TrainingRecord?) {
    self.init(
      applied: reload.changes.filter { $0.effect == .atOnce }.map(\.path),
      atRestart: reload.waiting,
      changedDrill: changedDrill,
      training: training
    )
  }

  /// What a reload of the configuration has changed.
  var report: RecordReport<Self> {
    func list(_ keys: [String]) -> String { keys.joined(separator: ", ") }
    let now = applied.isEmpty ? "nothing new is in force" : "now in force: \(list(applied))"
    let later = atRestart.isEmpty ? "" : "; after a restart: \(list(atRestart))"
    let drill = changedDrill.map {
      "\nthe drill \($0) is loaded as it was: `ballmachine drill \($0)' loads the changed file"
    }
    let loaded = training.map { "\nloaded again: \($0.text)" }
    let text = "configuration read: \(now)\(later)\(loaded ?? "")\(drill ?? "")"
    return RecordReport("reload", self, text: text)
  }
}

/// A reload that was refused, and why.
struct ReloadRefusal: Report {
  var event = "reloadRefused"
  var reason: String

  var text: String { reason }
}
