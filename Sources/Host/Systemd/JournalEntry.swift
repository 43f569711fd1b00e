/// A line of the log with its fields, as journald stores it.
///
/// Source: systemd.journal-fields(7).
struct JournalEntry: Hashable, Sendable {
  var message: String
  var priority: JournalPriority
  var fields: [String: String]

  /// `NAME=value`, each of them a piece of what `sd_journal_sendv` takes.
  var pieces: [[UInt8]] {
    let standard = [
      ("MESSAGE", message), ("PRIORITY", "\(priority.rawValue)"),
      ("SYSLOG_IDENTIFIER", "ballmachine"),
    ]
    let own = fields.sorted { $0.key < $1.key }.map { (Self.name(of: $0.key), $0.value) }
    return (standard + own).map { Array("\($0)=\($1)".utf8) }
  }

  /// The longest name of a field that journald takes.
  /// Source: systemd 252, `journal_field_valid`.
  private static let longestName = 64

  /// `nextAttempt` becomes `BALLMACHINE_NEXT_ATTEMPT`: names have capitals, digits and underscores.
  static func name(of key: String) -> String {
    var name = "BALLMACHINE_"
    for scalar in key.unicodeScalars {
      switch scalar {
      case "A"..."Z": name += "_\(scalar)"
      case "a"..."z": name += String(scalar).uppercased()
      case "0"..."9": name.unicodeScalars.append(scalar)
      default: name += "_"
      }
    }
    return String(name.prefix(longestName))
  }
}

/// How much a line of the log matters.
///
/// Source: syslog(3).
package enum JournalPriority: Int32, Hashable, Sendable, CaseIterable {
  case error = 3
  case warning = 4
  /// Normal, but significant: arming, disarming, stops.
  case notice = 5
  case information = 6
  case debug = 7
}

extension JournalPriority {
  /// The priority as `journalctl --priority` takes it.
  package var word: String {
    switch self {
    case .error: "err"
    case .warning: "warning"
    case .notice: "notice"
    case .information: "info"
    case .debug: "debug"
    }
  }
}
