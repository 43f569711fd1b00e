/// What an entry of a command table is for: a zone, and the level and spin that it was measured at.
package struct Stroke: Hashable, Sendable {
  package var zone: Zone
  /// Nil: none in particular.
  package var level: SkillLevel?
  /// Nil: none in particular.
  package var spin: Spin?

  package init(zone: Zone, level: SkillLevel? = nil, spin: Spin? = nil) {
    self.zone = zone
    self.level = level
    self.spin = spin
  }

  /// Whether it is the zone's plain entry, which every table has.
  package var isPlain: Bool { level == nil && spin == nil }
}

extension Stroke: CustomStringConvertible {
  /// `3-0`, `3-0 beginner`, `3-0 topspin` or `3-0 beginner topspin`.
  package var description: String {
    [zone.description, level?.rawValue, spin?.rawValue].compactMap(\.self).joined(separator: " ")
  }

  /// Reads that form.
  package init?(_ text: String) {
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)[...]
    guard let zone = words.popFirst().flatMap({ Zone(rowColumn: $0) }) else { return nil }
    self.init(zone: zone)
    if let level = words.first.flatMap(SkillLevel.init(rawValue:)) {
      self.level = level
      words.removeFirst()
    }
    if let spin = words.first.flatMap(Spin.init(rawValue:)) {
      self.spin = spin
      words.removeFirst()
    }
    guard words.isEmpty else { return nil }
  }
}
