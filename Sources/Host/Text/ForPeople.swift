// Text from outside, as people may see it: names, other programs' errors, file names, arguments.
//
// It is matched and logged raw. What people read goes through here, so that none of it can control a
// terminal, begin a line of its own, turn the text around it, or hide: see ``Lined`` for our own lines.

extension Unicode.Scalar {
  /// Whether it shows as itself: no control character, no line or paragraph separator, none that turns the
  /// direction of writing or has no width.
  package var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
    default: true
    }
  }
}

extension Character {
  /// The longest tower of marks on one character; no script needs more.
  private static let mostScalars = 8

  /// Whether it may be shown in a line of text for people.
  package var isPrintable: Bool {
    unicodeScalars.count <= Self.mostScalars && unicodeScalars.allSatisfy(\.isPrintable)
  }
}

extension String {
  /// The text with `?` for characters that are not printable, line feeds too.
  package var printable: String { String(map { $0.isPrintable ? $0 : "?" }) }

  /// The printable text, cut with `…` where it is longer.
  package func printable(upTo length: Int) -> String {
    let start = prefix(length)
    let text = String(start).printable
    return start.endIndex == endIndex ? text : text + "…"
  }

  /// Enough of the text to recognise it in a message, with what is not printable escaped.
  package var excerpt: String {
    var text = ""
    for scalar in unicodeScalars.prefix(40) {
      text += scalar.isPrintable ? "\(scalar)" : scalar.escaped(asASCII: true)
    }
    return unicodeScalars.dropFirst(40).isEmpty ? text : text + "…"
  }
}

extension String {
  /// The text as one word of a shell's command.
  package var inShell: String {
    let plain = "-_./:,=+@%"
    guard
      isEmpty || hasPrefix("-")
        || !allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || plain.contains($0) })
    else { return self }
    let parts = printable.split(separator: "'" as Character, omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
  }
}

/// A text in lines of our own. Each of them may quote text from outside: line feeds in a line are not ours.
package protocol Lined: CustomStringConvertible {
  var lines: [String] { get }
}

extension Lined {
  package var description: String { lines.joined(separator: "\n") }
}

/// What an error says, in lines as people may see them.
///
/// - Parameter about: what it is about.
package func linesForPeople(_ error: any Error, about: String? = nil) -> [String] {
  var lines = (error as? any Lined)?.lines ?? ["\(error)"]
  if let about, !lines.isEmpty { lines[0] = "\(about): \(lines[0])" }
  return lines.map(\.printable)
}
