/// `text`, padded with spaces to `width` characters.
package func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
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

/// `lines` behind `label`: the first beside it, the others below, indented as far.
package func hanging(_ label: String, _ lines: [String]) -> String {
  let indent = String(repeating: " ", count: label.count)
  return label + lines.joined(separator: "\n" + indent)
}

extension Character {
  /// Whether it may go to a terminal, which control characters (in a device's name) could upset.
  package var isPrintable: Bool {
    unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
        && scalar.properties.generalCategory != .format
    }
  }
}

extension String {
  /// The text with `?` for characters that are not printable, line feeds too.
  package var printable: String { String(map { $0.isPrintable ? $0 : "?" }) }
}
