extension String {
  /// Enough of the text to recognise it in a message, with control characters escaped.
  package var excerpt: String {
    var text = ""
    for scalar in unicodeScalars.prefix(40) {
      text +=
        scalar.value < 0x20 || scalar.value == 0x7F ? scalar.escaped(asASCII: true) : "\(scalar)"
    }
    return unicodeScalars.dropFirst(40).isEmpty ? text : text + "…"
  }
}
