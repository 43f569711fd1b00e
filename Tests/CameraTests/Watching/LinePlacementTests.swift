import Clocks
import Testing

@testable import Camera

@Suite struct LinePlacementTests {
  @Test func itLooksOnceASecond() {
    var placement = LinePlacement()
    let times = [5000, 5999, 6000, 6500, 8000, 8999, 9000]
    let looks = times.filter { placement.beginsCheck(at: at($0)) }
    #expect(looks == [5000, 6000, 8000, 9000])
  }

  private static let cases: [[(milliseconds: Int, isTooDark: Bool, code: String)]] = [
    // The first frames may show no lines yet.
    [(0, false, "learning"), (1999, false, "learning"), (2000, false, "lines-moved")],
    [(0, true, "too-dark"), (9000, true, "too-dark"), (9100, false, "learning")],
    // After the dark, the camera settles again.
    [
      (0, false, "learning"), (1900, true, "too-dark"), (2000, false, "learning"),
      (3999, false, "learning"), (4000, false, "lines-moved"), (5000, false, "lines-moved"),
    ],
  ]

  @Test(arguments: cases.indices) func linesHaveMovedOnlyInEnoughLight(_ index: Int) {
    var placement = LinePlacement()
    for step in Self.cases[index] {
      let sight = placement.displacement(isTooDark: step.isTooDark, at: at(step.milliseconds))
      #expect(sight.state == .nothing && sight.code == step.code, "\(step) \(sight)")
    }
  }
}
