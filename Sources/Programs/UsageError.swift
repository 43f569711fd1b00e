import Host

/// A mistake on the command line: what is wrong, and what would be right.
package struct UsageError: Error, Equatable, Lined {
  package var lines: [String]

  package init(_ lines: String...) { self.lines = lines }
}
