import CourtLogic
import CourtMapping
import Testing

@Suite struct CourtMarkTests {
  /// Source: ITF, Rules of Tennis, rule 1.
  static let places: [(mark: CourtMark, x: Double, y: Double)] = [
    (.baselineLeft, 0, 11.885),
    (.baselineCentre, 4.115, 11.885),
    (.baselineRight, 8.23, 11.885),
    (.doublesBaselineLeft, -1.37, 11.885),
    (.doublesBaselineRight, 9.6, 11.885),
    (.singlesLeftService, 0, 6.4),
    (.centreService, 4.115, 6.4),
    (.singlesRightService, 8.23, 6.4),
    (.netLeft, 0, 0),
    (.netCentre, 4.115, 0),
    (.netRight, 8.23, 0),
    (.doublesNetLeft, -1.37, 0),
    (.doublesNetRight, 9.6, 0),
    (.netPostLeft, -2.284, 0),
    (.netPostRight, 10.514, 0),
    (.machineSinglesLeftService, 0, -6.4),
    (.machineCentreService, 4.115, -6.4),
    (.machineSinglesRightService, 8.23, -6.4),
    (.machineBaselineLeft, 0, -11.885),
    (.machineBaselineCentre, 4.115, -11.885),
    (.machineBaselineRight, 8.23, -11.885),
    (.machineDoublesBaselineLeft, -1.37, -11.885),
    (.machineDoublesBaselineRight, 9.6, -11.885),
  ]

  @Test(arguments: places)
  func eachMarkHasItsPlace(_ mark: CourtMark, x: Double, y: Double) {
    #expect(abs(mark.point.x - x) < 1e-12, "\(mark) \(mark.point)")
    #expect(abs(mark.point.y - y) < 1e-12, "\(mark) \(mark.point)")
  }

  @Test func noMarkIsMissingAbove() {
    #expect(Self.places.map(\.mark) == CourtMark.allCases)
  }
}
