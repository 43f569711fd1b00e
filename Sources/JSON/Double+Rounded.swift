extension Double {
  /// Rounded to `places` decimals, for output: millimetres, milliseconds.
  package func rounded(places: Int) -> Double {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (self * scale).rounded()
    // Minus zero reads as an error.
    return scaled == 0 ? 0 : scaled / scale
  }
}
