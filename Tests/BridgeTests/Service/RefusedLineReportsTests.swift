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
      reports.take(bad, connection: "a", at: instant(seconds))
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
}
