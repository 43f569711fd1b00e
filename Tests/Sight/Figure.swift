/// Figures as the tables have them.
enum Figure {
  static func text(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite else { return "–" }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let whole = Int((value * Double(scale)).rounded())
    let sign = whole < 0 ? "-" : ""
    guard digits > 0 else { return "\(whole)" }
    var rest = "\(abs(whole) % scale)"
    while rest.count < digits { rest = "0" + rest }
    return "\(sign)\(abs(whole) / scale).\(rest)"
  }
}
