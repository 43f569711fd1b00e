extension Double {
  /// The number with exactly `places` decimals.
  package func fixed(_ places: Int) -> String {
    let text = String(rounded(places: places))
    guard let point = text.firstIndex(of: ".") else { return text }
    guard places > 0 else { return String(text[..<point]) }
    let decimals = text[text.index(after: point)...]
    return text + String(repeating: "0", count: max(0, places - decimals.count))
  }
}
