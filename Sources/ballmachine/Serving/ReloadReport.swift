import Bridge

/// What has become of a configuration that was read again.
struct ReloadReport: Report {
  var event = "reload"
  /// Keys that have changed.
  var applied: [String]
  /// Keys that have changed, and which a restart takes.
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

/// A configuration that was read again, and is wrong.
struct ReloadRefusal: Report {
  var event = "reload"
  var reason: String

  var text: String { reason }
}
