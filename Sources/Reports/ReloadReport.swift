package import ControlProtocol
import Host
package import Programs

extension ReloadRecord {
  /// What a reload of the configuration has changed.
  package var report: RecordReport<Self> {
    func list(_ keys: [String]) -> String { keys.joined(separator: ", ") }
    let now = applied.isEmpty ? "nothing new is in force" : "now in force: \(list(applied))"
    let later = atRestart.isEmpty ? "" : "; after a restart: \(list(atRestart))"
    let drill = changedDrill.map {
      "the drill \($0) is loaded as it was: `ballmachine drill \($0)' loads the changed file"
    }
    let loaded = training.map { "loaded again: \($0.text)" }
    let lines = ["configuration read: \(now)\(later)", loaded, drill].compactMap(\.self)
    return RecordReport("reload", self, lines: lines)
  }
}

/// A reload was refused: the old configuration stays.
package struct ReloadRefusal: LinedReport {
  var event = "reloadRefused"
  var reason: String

  package init(reason: String) { self.reason = reason }

  package var lines: [String] { reason.split(separator: "\n").map(String.init) }
}
