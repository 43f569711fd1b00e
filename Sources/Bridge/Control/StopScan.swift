/// Looks for the method `stop` in the bytes of a line that can't be read as JSON. When in doubt, it
/// is a stop.
struct StopScan {
  private static let wanted = Array(#""method":"stop""#.utf8)
  /// For each number of matching bytes: how many of the last ones are also the first of ``wanted``
  /// (Knuth, Morris and Pratt).
  private static let shorter: [Int] = (0..<wanted.count).map { matching in
    (0..<max(matching, 1)).last { wanted[..<matching].suffix($0) == wanted.prefix($0) } ?? 0
  }

  private var matching = 0
  private(set) var hasFound = false

  /// - Parameter bytes: more of the line, or the whole of it.
  mutating func look(at bytes: [UInt8]) {
    // Spaces may stand between, and in UTF-16 NULs.
    for byte in bytes where byte > UInt8(ascii: " ") && !hasFound {
      while matching > 0, Self.wanted[matching] != byte { matching = Self.shorter[matching] }
      if Self.wanted[matching] == byte { matching += 1 }
      hasFound = matching == Self.wanted.count
    }
  }
}
