/// A line that is not a verb.
package struct MockSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Counted from 1 within the script or the input.
  package var line: Int
  package var message: String

  package var description: String { "line \(line): \(message)" }
}
