/// A mistake on the command line: what is wrong, and what would be right.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}
