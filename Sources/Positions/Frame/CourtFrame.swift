import CourtLogic
import CourtMapping

/// How a tracker's two numbers become the court's metres: each is scaled and turned into metres, the axes
/// are put in order, and the place of the tracker's origin is added.
package struct CourtFrame: Hashable, Sendable {
  /// The court's own: metres from the net's left corner, x to the right, y to the baseline.
  package static let court = CourtFrame()

  package var unit = Unit.metres
  package var origin = Origin.corner
  package var axes = Axes.asTheCourts
  package var scale = Scale.one

  package init() {}

  package init(_ unit: Unit, _ origin: Origin = .corner, _ axes: Axes = .asTheCourts) {
    self.unit = unit
    self.origin = origin
    self.axes = axes
  }

  /// The unit of the tracker's numbers.
  package enum Unit: String, CaseIterable, Hashable, Sendable {
    case metres, feet, inches, centimetres, millimetres

    package var metres: Double {
      switch self {
      case .metres: 1
      case .feet: 0.3048
      case .inches: 0.0254
      case .centimetres: 0.01
      case .millimetres: 0.001
      }
    }
  }

  /// Where the tracker's (0, 0) is, in the court's metres.
  package struct Origin: Hashable, Sendable {
    /// The greatest distance in metres: from here no player would be near the court.
    static let farthest = 100.0

    package let x: Double
    package let y: Double

    /// The net's left corner, as the court has it.
    package static let corner = Origin(uncheckedX: 0, y: 0)
    /// The middle of the net.
    package static let centre = Origin(uncheckedX: Court.width / 2, y: 0)
    // The corners of the whole doubles court, as the player's camera sees them.
    package static let farLeft = Origin(uncheckedX: -CourtMark.alley, y: -Court.length)
    package static let farRight = Origin(
      uncheckedX: Court.width + CourtMark.alley,
      y: -Court.length
    )
    package static let nearLeft = Origin(uncheckedX: -CourtMark.alley, y: Court.length)
    package static let nearRight = Origin(
      uncheckedX: Court.width + CourtMark.alley,
      y: Court.length
    )

    /// Those with a name, by it.
    package static let named: [(name: String, origin: Origin)] = [
      ("corner", .corner), ("centre", .centre), ("far-left", .farLeft), ("far-right", .farRight),
      ("near-left", .nearLeft), ("near-right", .nearRight),
    ]

    private init(uncheckedX x: Double, y: Double) {
      self.x = x
      self.y = y
    }

    /// - Returns: nil unless both are finite and at most ``farthest``.
    package init?(x: Double, y: Double) {
      guard abs(x) <= Self.farthest, abs(y) <= Self.farthest else { return nil }
      self.init(uncheckedX: x, y: y)
    }

    /// A name, or two numbers such as `-1.37,0`.
    package init?(text: some StringProtocol) {
      if let found = Self.named.first(where: { $0.name == text }) {
        self = found.origin
      } else {
        guard let (x, y) = pair(text) else { return nil }
        self.init(x: x, y: y)
      }
    }

    package var text: String {
      Self.named.first { $0.origin == self }?.name ?? "\(x),\(y)"
    }
  }

  /// Which of the tracker's axes runs along the court's x, which along its y, and whether against it.
  package struct Axes: Hashable, Sendable {
    package static let asTheCourts = Axes(isSwapped: false, isXReversed: false, isYReversed: false)

    /// Whether the court's x is the tracker's y.
    package let isSwapped: Bool
    /// Whether the tracker's numbers fall along the court's x.
    package let isXReversed: Bool
    /// Whether the tracker's numbers fall along the court's y.
    package let isYReversed: Bool

    package static let all = [false, true].flatMap { isSwapped in
      [false, true].flatMap { isXReversed in
        [false, true].map {
          Axes(isSwapped: isSwapped, isXReversed: isXReversed, isYReversed: $0)
        }
      }
    }

    private init(isSwapped: Bool, isXReversed: Bool, isYReversed: Bool) {
      self.isSwapped = isSwapped
      self.isXReversed = isXReversed
      self.isYReversed = isYReversed
    }

    /// Two names, such as `x,y`, `y,x` or `-x,-y`: what runs along the court's x, then along its y.
    package init?(text: some StringProtocol) {
      guard let found = Self.all.first(where: { $0.text == text }) else { return nil }
      self = found
    }

    package var text: String {
      let names = isSwapped ? ("y", "x") : ("x", "y")
      return (isXReversed ? "-" : "") + names.0 + "," + (isYReversed ? "-" : "") + names.1
    }
  }

  /// The factors by which the tracker's x and y are multiplied first.
  package struct Scale: Hashable, Sendable {
    package static let one = Scale(uncheckedX: 1, y: 1)
    static let range = 1e-6...1e6

    package let x: Double
    package let y: Double

    private init(uncheckedX x: Double, y: Double) {
      self.x = x
      self.y = y
    }

    /// - Returns: nil unless both are from 0.000001 to 1000000.
    package init?(x: Double, y: Double) {
      guard Self.range.contains(x), Self.range.contains(y) else { return nil }
      self.init(uncheckedX: x, y: y)
    }

    /// A number for both, or two such as `8.23,11.885`.
    package init?(text: some StringProtocol) {
      guard let (x, y) = pair(text) ?? Double(decimal: text).map({ ($0, $0) }) else { return nil }
      self.init(x: x, y: y)
    }

    package var text: String { x == y ? "\(x)" : "\(x),\(y)" }
  }

  /// The tracker's numbers in the court's metres.
  package func metres(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    guard self != .court else { return (x, y) }
    let (x, y) = (x * scale.x * unit.metres, y * scale.y * unit.metres)
    let (across, along) = axes.isSwapped ? (y, x) : (x, y)
    return (
      origin.x + (axes.isXReversed ? -across : across),
      origin.y + (axes.isYReversed ? -along : along)
    )
  }
}

/// Two numbers with a comma between them.
private func pair(_ text: some StringProtocol) -> (Double, Double)? {
  let parts = text.split(separator: ",", omittingEmptySubsequences: false)
  guard parts.count == 2, let first = Double(decimal: parts[0]),
    let second = Double(decimal: parts[1])
  else { return nil }
  return (first, second)
}
