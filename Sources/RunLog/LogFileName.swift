import Host

/// The name of a file of a run log, such as `000042-20261121T165737Z-001.ndjson`.
///
/// The run's number comes first, so that names sort in the order of the runs even when the
/// wall clock, which gives the second part, was wrong or has been set back.
package struct LogFileName: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Records without those of feeders, which were removed to make room. Before ``records``: its
    /// name has the same ending.
    case thinned = "-thinned.ndjson"
    case records = ".ndjson"
    case playerPositions = "-player_positions.csv"
  }

  /// Counts from 1: one more than the greatest number in the directory.
  package var run: Int
  /// The beginning of the run, `yyyyMMddTHHmmssZ`.
  var beginning: String
  /// Counts from 1.
  package var part: Int
  package var kind: Kind

  package var text: String {
    let run = rightAligned("\(run)", to: 6, with: "0")
    let part = rightAligned("\(part)", to: 3, with: "0")
    return "\(run)-\(beginning)-\(part)\(kind.rawValue)"
  }

  init(run: Int, beginning: String, part: Int, kind: Kind) {
    self.run = run
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
    guard words.count == 3, let run = Int(words[0]), let part = Int(words[2]),
      Self.numbers.contains(run), Self.numbers.contains(part)
    else { return nil }
    self.init(run: run, beginning: String(words[1]), part: part, kind: kind)
    guard self.text == text else { return nil }
  }

  /// A run's beginning as its files' names have it.
  static func beginning(_ time: WallTime) -> String {
    time.iso8601.filter { $0 != "-" && $0 != ":" }
  }
}

extension LogFileName: Comparable {
  /// From the oldest to the newest.
  package static func < (left: LogFileName, right: LogFileName) -> Bool {
    (left.run, left.part, left.text) < (right.run, right.part, right.text)
  }
}
