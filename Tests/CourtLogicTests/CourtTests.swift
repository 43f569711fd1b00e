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

  private func number(_ text: Substring) throws -> Double {
    let digits = String(text.filter { $0 != "~" && $0 != "!" })
    let value = try #require(Double(digits))
    let away = value < 0 ? value.nextDown : value.nextUp
    let towards = value < 0 ? value.nextUp : value.nextDown
    return text.hasSuffix("~") ? towards : text.hasSuffix("!") ? away : value
  }
}
