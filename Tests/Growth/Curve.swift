import Foundation

/// What something costs as there is more and more of it, and whether that is as it must be.
struct Curve: Encodable {
  /// One column of figures.
  struct Quantity: Encodable {
    /// What it is, with its unit.
    var name: String
    /// Decimal places to show.
    var places = 1
    var law: Law?
  }

  /// What must hold of a column.
  struct Law: Encodable {
    /// No figure is more than so many times as large as any that stands above it.
    var factor: Double
    /// What is smaller counts as this much: it can't be told from nothing.
    var floor: Double
    /// The first point that counts; those before it are for what is made once.
    var from = 0
  }

  struct Point: Encodable {
    var n: Int
    /// One for each quantity.
    var values: [Double]
  }

  let title: String
  /// What there is more and more of.
  let subject: String
  let quantities: [Quantity]
  private(set) var points: [Point] = []
  /// What is wrong beside the figures.
  private(set) var problems: [String] = []

  init(_ title: String, of subject: String, _ quantities: [Quantity]) {
    self.title = title
    self.subject = subject
    self.quantities = quantities
  }

  mutating func add(_ n: Int, _ values: [Double]) {
    precondition(values.count == quantities.count)
    points.append(Point(n: n, values: values))
    FileHandle.standardError.write(Data("\(title): \(Self.grouped(n))\n".utf8))
  }

  mutating func expect(_ isRight: Bool, _ problem: @autoclosure () -> String) {
    if !isRight { problems.append(problem()) }
  }

  /// What is wrong; empty when nothing grows that must not.
  var findings: [String] {
    quantities.indices.compactMap { column in
      guard let law = quantities[column].law, let (low, high) = worst(column, law) else {
        return nil
      }
      let ratio = Self.text(max(high.value, law.floor) / max(low.value, law.floor), places: 2)
      return "\(quantities[column].name): \(ratio) times as much with \(high.n) as with \(low.n), "
        + "not \(law.factor) at most"
    } + problems
  }

  private typealias Figure = (n: Int, value: Double)

  /// The greatest step up that breaks the law.
  private func worst(_ column: Int, _ law: Law) -> (low: Figure, high: Figure)? {
    let figures = points.dropFirst(law.from).map { (n: $0.n, value: $0.values[column]) }
    guard var low = figures.first else { return nil }
    var worst: (Figure, Figure)?
    var greatest = law.factor
    for figure in figures {
      if figure.value < low.value { low = figure }
      let ratio = max(figure.value, law.floor) / max(low.value, law.floor)
      if ratio > greatest { (worst, greatest) = ((low, figure), ratio) }
    }
    return worst
  }

  // MARK: As text

  /// As Markdown; behind each figure that must not grow its ratio to the first one.
  var table: String {
    let head = [subject] + quantities.flatMap { $0.law == nil ? [$0.name] : [$0.name, "× first"] }
    let rows = points.map { point in
      [Self.grouped(point.n)]
        + quantities.indices.flatMap { column -> [String] in
          let value = Self.text(point.values[column], places: quantities[column].places)
          guard quantities[column].law != nil else { return [value] }
          return [value, ratioText(point, column)]
        }
    }
    let lines = [head, head.map { _ in "--:" }] + rows
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private func ratioText(_ point: Point, _ column: Int) -> String {
    guard let law = quantities[column].law, points.indices.contains(law.from),
      point.n >= points[law.from].n
    else { return "" }
    let first = points[law.from].values[column]
    return Self.text(max(point.values[column], law.floor) / max(first, law.floor), places: 2)
  }

  var verdict: String {
    findings.isEmpty
      ? "Nothing grows that must not." : "**It grows.** " + findings.joined(separator: "; ") + "."
  }

  private static func text(_ value: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    let digits = "\(Int((abs(value) * scale).rounded()))"
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let sign = value < 0 ? "-" : ""
    guard places > 0 else { return sign + grouped(Int(digits) ?? 0) }
    return sign + padded.dropLast(places) + "." + padded.suffix(places)
  }

  private static func grouped(_ number: Int) -> String {
    var rest = "\(number)"[...]
    var groups: [Substring] = []
    while !rest.isEmpty {
      groups.insert(rest.suffix(3), at: 0)
      rest = rest.dropLast(3)
    }
    return groups.joined(separator: ",")
  }

  // MARK: As JSON

  private enum Key: CodingKey {
    case title, subject, quantities, points, findings
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(title, forKey: .title)
    try object.encode(subject, forKey: .subject)
    try object.encode(quantities, forKey: .quantities)
    try object.encode(points, forKey: .points)
    try object.encode(findings, forKey: .findings)
  }
}
