import Host

/// The name of a file of a session log, such as `000042-20261121T165737Z-001.ndjson`.
///
/// The session's number comes first, so that names sort in the order of the sessions even when the
/// wall clock, which gives the second part, was wrong or has been set back.
package struct SessionFileName: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Records without those of feeders, which were removed to make room. Before ``records``: its
    /// name has the same ending.
    case thinned = "-thinned.ndjson"
    case records = ".ndjson"
    case playerPositions = "-player_positions.csv"
  }

  /// Counts from 1: one more than the greatest number in the directory.
  package var session: Int
  /// The beginning of the session, `yyyyMMddTHHmmssZ`.
  var beginning: String
  /// Counts from 1.
  package var part: Int
  package var kind: Kind

  package var text: String {
    let session = rightAligned("\(session)", to: 6, with: "0")
    let part = rightAligned("\(part)", to: 3, with: "0")
    return "\(session)-\(beginning)-\(part)\(kind.rawValue)"
  }

  init(session: Int, beginning: String, part: Int, kind: Kind) {
    self.session = session
    self.beginning = beginning
    self.part = part
    self.kind = kind
  }

  /// A box comes nowhere near the end.
  private static let numbers = 1...999_999_999

  /// Reads a name; nil for one that this program wouldn't write.
  init?(_ text: String) {
    guard let kind = Kind.allCases.first(where: { text.hasSuffix($0.rawValue) }) else { return nil }
    let words = text.dropLast(kind.rawValue.count)
      .split(separator: "-", omittingEmptySubsequences: false)
    guard words.count == 3, let session = Int(words[0]), let part = Int(words[2]),
      Self.numbers.contains(session), Self.numbers.contains(part)
    else { return nil }
    self.init(session: session, beginning: String(words[1]), part: part, kind: kind)
    guard self.text == text else { return nil }
  }

  /// A session's beginning as its files' names have it.
  static func beginning(_ time: WallTime) -> String {
    time.iso8601.filter { $0 != "-" && $0 != ":" }
  }
}

extension SessionFileName: Comparable {
  /// From the oldest to the newest.
  package static func < (left: SessionFileName, right: SessionFileName) -> Bool {
    (left.session, left.part, left.text) < (right.session, right.part, right.text)
  }
}
