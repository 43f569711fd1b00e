import Clocks
import Positions
import Testing

@testable import Bridge

struct RefusedLineReportsTests {
  @Test func theFirstIsReportedAtOnceAndTheRestOnceASecond() {
    var reports = RefusedLineReports()
    func instant(_ seconds: Double) -> MonotonicInstant { .start.advanced(by: .seconds(seconds)) }
    func take(_ line: Int, at seconds: Double) {
      let bad = BadLine(line: line, reason: .cut)
      reports.receive(bad, connection: "a", at: instant(seconds))
    }
    #expect(reports.due == nil && reports.report(at: instant(5)) == nil)

    take(1, at: 5)
    #expect(reports.report(at: instant(5))?.count == 1)
    #expect(reports.due == nil)

    for line in 2...700 { take(line, at: 5.5) }
    #expect(reports.report(at: instant(5.999)) == nil)
    #expect(reports.due == instant(6))
    let second = reports.report(at: instant(6))
    #expect(second?.count == 699 && second?.last.line == 700 && second?.time == instant(5.5))

    take(701, at: 6.5)
    #expect(reports.report(at: instant(6.5)) == nil)
    #expect(reports.report(at: instant(6.5), isLast: true)?.last.line == 701)
    #expect(reports.last?.last.line == 701)
  }

  /// A feeder that sends picture points without a calibration sends 15 a second, for hours.
  @Test func aReasonThatLastsIsReportedOnce() {
    var reports = RefusedLineReports()
    func refuse(_ reason: PositionLineError, _ connection: String, at seconds: Double) -> Int? {
      let now = MonotonicInstant.start.advanced(by: .seconds(seconds))
      reports.receive(BadLine(line: 1, reason: reason), connection: connection, at: now)
      return reports.report(at: now)?.count
    }
    #expect(refuse(.noCalibration, "a", at: 1) == 1)
    for second in 2...100 { #expect(refuse(.noCalibration, "a", at: Double(second)) == nil) }
    #expect(reports.due == nil)
    #expect(reports.last?.time == .start.advanced(by: .seconds(100)))
    #expect(refuse(.noCalibration, "b", at: 102) == 1)
    #expect(refuse(.noSize, "b", at: 104) == 1)
    // A mistake in a line is another matter.
    #expect(refuse(.notJSON, "b", at: 106) == 1)
    #expect(refuse(.notJSON, "b", at: 108) == 1)
  }
}
