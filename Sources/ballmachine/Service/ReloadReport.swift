import Configuration
import Host

/// What a reload of the configuration has changed.
struct ReloadReport: Report {
  var event = "reload"
  /// Changed keys that are in force.
  var applied: [String]
  /// Changed keys that need a restart.
  var atRestart: [String]

  var text: String {
    let now = applied.isEmpty ? "nothing new is in force" : "now in force: \(list(applied))"
    let later = atRestart.isEmpty ? "" : "; after a restart: \(list(atRestart))"
    return "configuration read: \(now)\(later)"
  }

  private func list(_ keys: [String]) -> String { keys.joined(separator: ", ") }
}

extension ReloadReport {
  init(_ reload: ConfigurationReload) {
    applied = reload.changes.filter { $0.effect == .atOnce }.map(\.path)
    atRestart = reload.waiting
  }
}

/// A reload that was refused, and why.
struct ReloadRefusal: Report {
  var event = "reload"
  var reason: String

  var text: String { reason }
}
