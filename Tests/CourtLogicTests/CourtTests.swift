import CourtLogic
import Testing

struct CourtTests {
  /// Zone by position, on the mission's court and with aprons: `x y apron zone`.
  ///
  /// An inner boundary belongs to the zone behind it or to its right, the far edges to the last
  /// zones. `~` stands for the next floating-point number towards zero, `!` for the next one away
  /// from it.
  static let golden = """
    # the corners of the half court
    0          0          0  0-0
    8.23       0          0  0-3
    0          11.885     0  3-0
    8.23       11.885     0  3-3
    -0.0       -0.0       0  0-0
    # all 16 zones: first corner, then a hair before the opposite one
    0          0          0  0-0
    2.0575~    2.97125~   0  0-0
    2.0575     0          0  0-1
    4.115~     2.97125~   0  0-1
    4.115      0          0  0-2
    6.1725~    2.97125~   0  0-2
    6.1725     0          0  0-3
    8.23~      2.97125~   0  0-3
    0          2.97125    0  1-0
    2.0575~    5.9425~    0  1-0
    2.0575     2.97125    0  1-1
    4.115~     5.9425~    0  1-1
    4.115      2.97125    0  1-2
    6.1725~    5.9425~    0  1-2
    6.1725     2.97125    0  1-3
    8.23~      5.9425~    0  1-3
    0          5.9425     0  2-0
    2.0575~    8.91375~   0  2-0
    2.0575     5.9425     0  2-1
    4.115~     8.91375~   0  2-1
    4.115      5.9425     0  2-2
    6.1725~    8.91375~   0  2-2
    6.1725     5.9425     0  2-3
    8.23~      8.91375~   0  2-3
    0          8.91375    0  3-0
    2.0575~    11.885~    0  3-0
    2.0575     8.91375    0  3-1
    4.115~     11.885~    0  3-1
    4.115      8.91375    0  3-2
    6.1725~    11.885~    0  3-2
    6.1725     8.91375    0  3-3
    8.23~      11.885~    0  3-3
    # the far edges, zone by zone
    8.23       1          0  0-3
    8.23       4          0  1-3
    8.23       7          0  2-3
    8.23       10         0  3-3
    1          11.885     0  3-0
    3          11.885     0  3-1
    5          11.885     0  3-2
    7          11.885     0  3-3
    # out of court, some by a hair
    -0.3       5          0  out
    -5e-324    5          0  out
    -1e-9      5          0  out
    4          -0.3       0  out
    4          -5e-324    0  out
    8.23!      5          0  out
    4          11.885!    0  out
    4          13.3       0  out
    -0.3       -0.3       0  out
    -50        50         0  out
    # an apron of 3 m: behind the baseline and beside the sidelines, never on the net's side
    4          13.3       3  3-1
    4          14.885     3  3-1
    4          14.885!    3  out
    -0.3       5          3  1-0
    -3         5          3  1-0
    -3!        5          3  out
    11.23      5          3  1-3
    11.24      5          3  out
    -1         13         3  3-0
    9          13         3  3-3
    -1         1          3  0-0
    4          -5e-324    3  out
    4          -0.3       3  out
    -1         -0.3       3  out
    # a hair of apron catches a hair
    -1e-9      5          1e-6  1-0
    8.2300001  11.8850001 1e-6  3-3
    """

  @Test func everyBoundaryIsWhereTheGoldenVectorsSay() throws {
    var count = 0
    for line in Self.golden.split(separator: "\n") where !line.hasPrefix("#") {
      let columns = line.split(separator: " ")
      let court = try Court(apron: number(columns[2]))
      let zone = court.zone(x: try number(columns[0]), y: try number(columns[1]))
      #expect(zone.map(\.description) ?? "out" == columns[3], "\(line)")
      count += 1
    }
    #expect(count == 71)
  }

  @Test(arguments: [-1e-9, -3, 50.1, .nan, .infinity])
  func anApronIsADistance(apron: Double) {
    #expect(throws: CourtError.self) { try Court(apron: apron) }
  }

  /// Of a later app of a machine's maker: 20, 53.8 (the service line) and 70 % of the length.
  private static let rows = [0, 2.377, 6.394, 8.32, 11.885]
  private static let columns = [0, 1.5, 4.115, 6.73, 8.23]

  @Test(arguments: [0.0, 3.0])
  func eachEdgeBelongsToTheZoneBehindItAndTheFarOnesToTheLast(apron: Double) throws {
    let court = try Court(apron: apron, rows: Self.rows, columns: Self.columns)
    for index in 0..<4 {
      let (y, x) = (Self.rows[index], Self.columns[index])
      #expect(court.zone(x: x, y: y) == Zone(row: index, column: index))
      let (yBefore, xBefore) = (Self.rows[index + 1].nextDown, Self.columns[index + 1].nextDown)
      #expect(court.zone(x: xBefore, y: yBefore) == Zone(row: index, column: index))
    }
    #expect(court.zone(x: 8.23, y: 11.885) == Zone(row: 3, column: 3))
    #expect(court.zone(x: 4, y: -0.001) == nil)
    #expect(court.zone(x: 8.231, y: 11.886) == (apron > 0 ? Zone(row: 3, column: 3) : nil))
    #expect(court.zone(x: -0.001, y: 6.394) == (apron > 0 ? Zone(row: 2, column: 0) : nil))
    #expect(court.zone(x: 4, y: 14.886) == nil)
  }

  @Test func onlyOneOfBothMayBeUnequal() throws {
    let court = try Court(apron: 0, columns: Self.columns)
    #expect(court.zone(x: 2, y: 2.97) == Zone(row: 0, column: 1))
    #expect(court.zone(x: 2, y: 2.97125) == Zone(row: 1, column: 1))
    #expect(court.rowEdges == [0, 2.97125, 5.9425, 8.91375, 11.885])
    #expect(court.columnEdges == Self.columns)
  }

  /// The mission's formula, bit for bit, on a grid that has every edge and its neighbours.
  @Test func withoutEdgesTheZonesAreThoseOfTheFormula() throws {
    let court = try Court(apron: 0, rows: nil, columns: nil)
    #expect(court == Court())
    func dense(_ end: Double) -> [Double] {
      (0...1_000).map { end * Double($0) / 1_000 }.flatMap { [$0.nextDown, $0, $0.nextUp] }
        .filter { $0 >= 0 && $0 <= end }
    }
    let xs = dense(Court.width)
    for y in dense(Court.length) {
      let row = min(Int((y / 2.97125).rounded(.down)), 3)
      for x in xs
      where court.zone(x: x, y: y)?.id != row * 4 + min(Int((x / 2.0575).rounded(.down)), 3) {
        Issue.record("\(x) \(y)")
      }
    }
  }

  @Test(
    arguments: [
      ([], "0 edges are not 5"), ([0, 3, 6, 11.885], "4 edges are not 5"),
      ([0, 3, 6, 9, 10, 11.885], "6 edges are not 5"),
      ([0.1, 3, 6, 9, 11.885], "the first edge is 0, the net"),
      ([0, 3, 6, 9, 11.88], "the last edge is 11.885, the baseline"),
      ([0, 6, 3, 9, 11.885], "3.0 is not 0.3 m or more beyond the edge before it, 6.0"),
      ([0, 3, 3, 9, 11.885], "3.0 is not 0.3 m or more beyond the edge before it, 3.0"),
      ([0, 3, 3.299, 9, 11.885], "3.299 is not 0.3 m or more beyond the edge before it, 3.0"),
      ([0, 3, .nan, 9, 11.885], "nan is not 0.3 m or more beyond the edge before it, 3.0"),
      ([0, 2.1, 2.4, 9, 11.885], nil),
    ] as [([Double], String?)]
  )
  func edgesDivideTheCourt(_ rows: [Double], _ problem: String?) {
    var found: String?
    do throws(CourtError) { _ = try Court(apron: 0, rows: rows) } catch { found = "\(error)" }
    #expect(found == problem)
  }

  private func number(_ text: Substring) throws -> Double {
    let digits = String(text.filter { $0 != "~" && $0 != "!" })
    let value = try #require(Double(digits))
    let away = value < 0 ? value.nextDown : value.nextUp
    let towards = value < 0 ? value.nextUp : value.nextDown
    return text.hasSuffix("~") ? towards : text.hasSuffix("!") ? away : value
  }
}
