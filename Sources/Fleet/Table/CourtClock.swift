import Host

/// How far a court's clock is from this computer's, as far as the court's messages say. Pure.
package struct CourtClock: Hashable, Sendable {
  /// Less says nothing: messages take their time, and clocks drift.
  private static let tolerance = 60
  /// Two changes that are as late as each other, within so many seconds, are late because of the clock.
  private static let likeness = 10

  /// In seconds: negative if it is behind; nil: as far as is known, it is right.
  package private(set) var ahead: Int?
  /// By how much the last change was late, in seconds.
  private var lateness: Int?

  package init() {}

  /// The court may have been away: what comes next may be older than it seems.
  mutating func forgetChanges() { lateness = nil }

  /// A message names a time at which something has happened.
  ///
  /// - Parameters:
  ///   - isNews: whether it seems to have happened just now.
  ///   - now: when the message came.
  mutating func receive(_ time: WallTime, isNews: Bool, at now: WallTime) {
    let lead = Int((time.duration(since: now) / .seconds(1)).rounded())
    if lead > Self.tolerance {
      // What is older was still later then.
      ahead = isNews ? lead : max(ahead ?? 0, lead)
      lateness = nil
    } else if isNews, lead >= -Self.tolerance {
      (ahead, lateness) = (nil, nil)
    } else if isNews {
      // One alone may be an old state that came late.
      if let lateness, abs(lateness + lead) <= Self.likeness { ahead = lead }
      lateness = -lead
    }
  }

  /// For people; nil if it is right.
  package var words: String? {
    ahead.map {
      "its clock is \(Self.text(of: abs($0))) \($0 > 0 ? "ahead of" : "behind") this computer's"
    }
  }

  private static func text(of seconds: Int) -> String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7_200: "\((seconds + 30) / 60) min"
    case ..<172_800: "\((seconds + 1_800) / 3_600) h"
    default: "\((seconds + 43_200) / 86_400) days"
    }
  }
}
