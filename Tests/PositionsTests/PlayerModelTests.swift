import CourtLogic
import Positions
import TestSupport
import Testing

struct PlayerModelTests {
  @Test func theSameSeedGivesTheSameRally() {
    #expect(
      Array(PlayerModel(seed: 1).prefix(1_000)) == Array(PlayerModel(seed: 1).prefix(1_000))
    )
    #expect(
      Array(PlayerModel(seed: 1).prefix(1_000)) != Array(PlayerModel(seed: 2).prefix(1_000))
    )
  }

  @Test(arguments: seeds()) func thePlayerMovesLikeOne(seed: UInt64) {
    print("PlayerModel: seed \(seed)")
    let rally = Array(PlayerModel(seed: seed).prefix(30 * 120))
    #expect(rally[30 * 60].offset == .seconds(60), "30 positions a second without drift")
    let court = Court()
    let zones = rally.map { court.zone(at: $0.position) }
    #expect(Set(zones).count >= 8, "seed \(seed): he gets around")
    #expect(zones.contains(nil), "seed \(seed): he goes behind the baseline")
    #expect(zones.count { $0 != nil } > zones.count / 2, "seed \(seed): he is mostly in court")
    for position in rally.map(\.position) {
      #expect(position.y > 0.5 && position.y < Court.length + 2, "seed \(seed)")
      #expect(position.x > 0 && position.x < Court.width, "seed \(seed)")
    }
    // Over a tenth of a second, so that the detector's trembling doesn't count as running.
    for (earlier, later) in zip(rally, rally.dropFirst(3)) {
      let x = later.position.x - earlier.position.x
      let y = later.position.y - earlier.position.y
      #expect((x * x + y * y).squareRoot() / 0.1 < 12, "seed \(seed): nobody runs faster")
    }
  }
}
