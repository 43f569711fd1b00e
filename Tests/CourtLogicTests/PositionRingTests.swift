import Clocks
import CourtLogic
import TestSupport
import Testing

struct PositionRingTests {
  @Test func aFullRingForgetsItsOldest() {
    var ring = PositionRing(capacity: 3)
    for second in 0..<5 { ring.append(sample(second)) }
    #expect((0..<ring.count).map { ring[$0] } == [sample(2), sample(3), sample(4)])
    ring.removeOlder(than: sample(4).arrival)
    #expect((0..<ring.count).map { ring[$0] } == [sample(4)])
    ring.removeAll()
    #expect(ring.count == 0)
    ring.append(sample(9))
    #expect(ring[0] == sample(9))
  }

  @Test(arguments: [1, 2, 7]) func itBehavesLikeAnArray(capacity: Int) {
    for seed in seeds() {
      print("PositionRing: seed \(seed)")
      var generator = SeededGenerator(seed: seed)
      var ring = PositionRing(capacity: capacity)
      var model: [PositionRing.Sample] = []
      var second = 0
      for _ in 0..<1_000 {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
          let cut = Int.random(in: 0...second, using: &generator)
          ring.removeOlder(than: sample(cut).arrival)
          model.removeAll { $0.arrival < sample(cut).arrival }
        case 1 where second % 7 == 0:
          ring.removeAll()
          model = []
        default:
          second += 1
          ring.append(sample(second))
          model = (model + [sample(second)]).suffix(capacity)
        }
        #expect((0..<ring.count).map { ring[$0] } == model, "seed \(seed)")
      }
    }
  }

  private func sample(_ second: Int) -> PositionRing.Sample {
    PositionRing.Sample(
      arrival: MonotonicInstant(sinceStart: .seconds(second)),
      x: Double(second),
      y: 1
    )
  }
}
