package import CourtLogic

/// What a drill aims at: a zone, and how the ball turns where the table has a command for that.
package struct Target: Hashable, Sendable {
  package var zone: Zone
  package var spin: Spin?

  package init(_ zone: Zone, _ spin: Spin? = nil) {
    self.zone = zone
    self.spin = spin
  }

  /// Left and right exchanged.
  package var mirrored: Target {
    Target(Zone(row: zone.row, column: Zone.side - 1 - zone.column)!, spin)
  }

  package func stroke(at level: SkillLevel?) -> Stroke {
    Stroke(zone: zone, level: level, spin: spin)
  }
}

extension Target: CustomStringConvertible {
  /// `3-0`, or `3-0 topspin`.
  package var description: String { "\(zone)" + (spin.map { " \($0.rawValue)" } ?? "") }

  /// Reads that form.
  package init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard (1...2).contains(words.count), let zone = Zone(rowColumn: words[0]) else { return nil }
    self.init(zone)
    guard words.count == 2 else { return }
    guard let spin = Spin(rawValue: String(words[1])) else { return nil }
    self.spin = spin
  }
}

/// Targets, each with how often it is drawn, against the others.
package struct WeightedTargets: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package var target: Target
    package var weight: Int

    package init(_ target: Target, weight: Int = 1) {
      self.target = target
      self.weight = weight
    }
  }

  /// How often a target may be drawn for another one's once.
  package static let weights = 1...100

  /// At least one; no target twice.
  package let items: [Item]

  /// - Parameters:
  ///   - items: at least one; no target twice; weights of ``weights``.
  package init(_ items: [Item]) {
    precondition(!items.isEmpty)
    self.items = items
  }

  package var targets: [Target] { items.map(\.target) }

  package var mirrored: WeightedTargets {
    WeightedTargets(items.map { Item($0.target.mirrored, weight: $0.weight) })
  }

  /// The targets that are allowed; nil if none is.
  func filtered(_ isAllowed: (Target) -> Bool) -> WeightedTargets? {
    let rest = items.filter { isAllowed($0.target) }
    return rest.isEmpty ? nil : WeightedTargets(rest)
  }

  /// One of them, by their weights. Where there is only one, nothing is drawn.
  func draw(_ generator: inout SeededGenerator) -> Target {
    guard items.count > 1 else { return items[0].target }
    var rest = Int.random(in: 0..<items.reduce(0) { $0 + $1.weight }, using: &generator)
    for item in items {
      guard rest >= item.weight else { return item.target }
      rest -= item.weight
    }
    preconditionFailure("a number below the sum of all weights is below none of them")
  }
}
