import Host

/// How people call a session: `42` is the first one of run 42 of the service, `42.2` its
/// second one. Runs keep their numbers when old logs go.
package struct SessionName: Hashable, Sendable {
  /// The run's number: one a start of the service.
  package var run: Int
  /// Which one of the run's it is, from 1.
  package var arming: Int

  package init(run: Int, arming: Int) {
    self.run = run
    self.arming = arming
  }

  /// Reads `42` or `42.2`.
  package init?(_ text: String) {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = words.compactMap { word in
      word.utf8.allSatisfy(\.isDigit) ? Int(word) : nil
    }
    guard (1...2).contains(words.count), numbers.count == words.count,
      numbers.allSatisfy({ $0 > 0 })
    else { return nil }
    self.init(run: numbers[0], arming: numbers.count == 2 ? numbers[1] : 1)
  }
}

extension SessionName: CustomStringConvertible {
  package var description: String { arming == 1 ? "\(run)" : "\(run).\(arming)" }
}

extension SessionName: Comparable {
  package static func < (left: SessionName, right: SessionName) -> Bool {
    (left.run, left.arming) < (right.run, right.arming)
  }
}
