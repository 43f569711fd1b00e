import Clocks
package import Host

/// A phone that may arm, and all else that an operator may over the page.
package struct PairedPhone: Codable, Hashable, Sendable {
  /// Never given twice.
  package let id: Int
  /// What kind of phone it says to be.
  package let name: String
  let token: SecretHash
  package let paired: WallTime
  package internal(set) var seen: WallTime
  /// When it must be paired again.
  package let until: WallTime
  /// The card that paired it.
  package let card: Int?
  /// ``until`` on the clock that never jumps, since the program runs.
  var end: MonotonicInstant?

  private enum CodingKeys: CodingKey { case id, name, token, paired, seen, until, card }
}

/// A printed card: each phone that scans it is paired, as long as it is valid.
package struct PairingCard: Codable, Hashable, Sendable {
  package let id: Int
  let secret: SecretHash
  package let made: WallTime
  package let until: WallTime
}

/// What a phone is called in the list of phones.
package enum PhoneName {
  /// - Parameter userAgent: the browser's header, of which only a known word is taken.
  package static func of(userAgent: String?) -> String {
    // A word before those that come with it: Android says Linux, too.
    let words = ["iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux"]
    let said = Set((userAgent ?? "").split { !$0.isLetter })
    return words.first { said.contains($0[...]) } ?? "phone"
  }
}
