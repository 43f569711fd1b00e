extension Double {
  /// Rounded to `places` decimals, for output: millimetres, milliseconds.
  func rounded(places: Int) -> Double {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (self * scale).rounded()
    // Minus zero reads as an error.
    return scaled == 0 ? 0 : scaled / scale
  }

  /// With exactly so many decimals.
  func fixed(_ places: Int) -> String {
    let text = String(rounded(places: places))
    guard let point = text.firstIndex(of: ".") else { return text }
    guard places > 0 else { return String(text[..<point]) }
    let decimals = text[text.index(after: point)...]
    return text + String(repeating: "0", count: max(0, places - decimals.count))
  }
}
