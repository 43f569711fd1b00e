import CourtLogic

/// What happens for a while in a ``SafetyScenario``.
///
/// Drawn evenly from all kinds of events, the few that a defect needs seldom meet. A theme draws from a
/// random few of them, and leads to balls besides (swarm testing: Groce et al., ISSTA 2012).
struct SafetyTheme {
  let events: [SafetyScenario.Event]
  /// How many of 16 events are what leads to the next ball.
  let eagerness: Int
  /// Whether outcomes, orders, the link and people are late.
  let isLate: Bool
  /// In milliseconds.
  let longestLeap: Int

  init(using generator: inout SeededGenerator) {
    let few = SafetyScenario.Event.allCases.filter { _ in
      Int.random(in: 0..<3, using: &generator) == 0
    }
    events = few.isEmpty ? [.time] : few
    eagerness = [0, 8, 12, 14].randomElement(using: &generator)!
    isLate = Int.random(in: 0..<3, using: &generator) == 0
    longestLeap = [400, 6_000, 70_000].randomElement(using: &generator)!
  }
}
