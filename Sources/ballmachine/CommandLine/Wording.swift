/// `text` with spaces behind it until it is `width` characters wide.
func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// `1 ball`, `2 balls`.
func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

extension Character {
  /// Whether it may go to a terminal: control characters, from a device's name say, would upset it.
  var isPrintable: Bool {
    unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
        && scalar.properties.generalCategory != .format
    }
  }
}

extension String {
  /// The text with `?` for whatever is not printable, line feeds too.
  var printable: String { String(map { $0.isPrintable ? $0 : "?" }) }
}
