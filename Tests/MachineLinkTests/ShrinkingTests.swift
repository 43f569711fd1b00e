import CourtLogic
import MachineLink
import Testing

/// What tells of a failing life must itself be right.
@Suite struct ShrinkingTests {
  @Test func aListIsCutToTheElementsThatMatter() {
    let list = Array(0..<500)
    #expect(shrunk(list) { $0.contains(17) && $0.contains(318) } == [17, 318])
    #expect(shrunk(list) { $0.count >= 3 }.count == 3)
    #expect(shrunk(list) { _ in true }.isEmpty)
  }

  /// Under a law that a link has to break to be of any use, a long life shrinks to the shortest way
  /// from nothing to a write.
  @Test(arguments: [1, 2] as [UInt64])
  func aLifeIsCutToTheStepsThatBreakALaw(seed: UInt64) throws {
    let plantedLaw: @Sendable (LinkAction) -> String? = { action in
      guard case .begin(_, .write(let command, _, _)) = action, command != .stop else { return nil }
      return "a ball left"
    }
    func breaks(_ life: Life) -> Bool {
      LifeRun.live(life, plantedLaw: plantedLaw).breach?.law == .planted
    }
    var life = LifePlanner.live(seed: seed, steps: 200).life
    life.recovers = false
    try #require(breaks(life), "seed \(seed) never gets to a write")
    let shorter = life.shrunk(while: breaks)
    #expect(breaks(shorter))
    // Start, bus, objects, discovery on and off, trust, Connect, two snapshots with services
    // resolved between them, and the command; some of it a deadline does as well as an answer.
    #expect(shorter.steps.count <= 12, "\(shorter.told)")
    #expect(shorter.steps.last?.what == .submit(age: .zero))
    for index in shorter.steps.indices {
      var without = shorter
      without.steps.remove(at: index)
      #expect(!breaks(without), "step \(index + 1) is of no use:\n\(shorter.told)")
    }
  }

  @Test func aSeedAlwaysTellsTheSameLife() {
    let life = LifePlanner.live(seed: 5, steps: 200)
    #expect(LifePlanner.live(seed: 5, steps: 200).life == life.life)
    #expect(LifeRun.live(life.life).pairs == life.run.pairs)
  }
}
