/// `text`, padded with spaces to `width` characters.
package func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// `text` at the right end of `width` characters.
package func rightAligned(_ text: String, to width: Int, with filler: Character = " ") -> String {
  String(repeating: filler, count: max(0, width - text.count)) + text
}

/// `1 ball`, `2 balls`.
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// `text` in lines of at most `width` characters, broken at spaces; a longer word has its own line.
package func wrapped(_ text: String, to width: Int) -> [String] {
  var lines = [""]
  for word in text.split(separator: " ", omittingEmptySubsequences: false) {
    let line = lines[lines.count - 1]
    if line.isEmpty {
      lines[lines.count - 1] = String(word)
    } else if line.count + 1 + word.count <= width {
      lines[lines.count - 1] = line + " " + word
    } else {
      lines.append(String(word))
    }
  }
  return lines
}

/// `text` for an element or an attribute of XML.
package func xmlEscaped(_ text: String) -> String {
  let names: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
  return text.map { names[$0] ?? String($0) }.joined()
}

/// `lines` behind `label`: the first beside it, the others below, indented as far.
package func hanging(_ label: String, _ lines: [String]) -> [String] {
  let indent = String(repeating: " ", count: label.count)
  return lines.isEmpty
    ? [label] : lines.enumerated().map { ($0 == 0 ? label : indent) + $1 }
}

/// Blocks whose characters are wide.
///
/// Source: Unicode's EastAsianWidth.txt, W and F, with the gaps between neighbours closed.
private let wideScalars: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
  0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
  0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x1F300...0x1F64F,
  0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
]

extension Character {
  /// Whether it is printable and takes one column of a terminal: no East Asian wide character, no
  /// emoji, no mark that would stand alone, no tower of marks.
  package var isOneColumn: Bool {
    guard isPrintable, unicodeScalars.count <= 4, let first = unicodeScalars.first else {
      return false
    }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator, .unassigned,
      .privateUse, .surrogate:
      return false
    default: break
    }
    return !unicodeScalars.contains { scalar in
      scalar.properties.isEmojiPresentation || scalar.value == 0xFE0F
        || wideScalars.contains { $0.contains(scalar.value) }
    }
  }
}
