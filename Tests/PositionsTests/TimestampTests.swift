import Positions
import Testing

struct TimestampTests {
  @Test(
    arguments: [
      ("0", .zero),
      ("12.5", .milliseconds(12_500)),
      ("-1", .seconds(-1)),
      ("+1e3", .seconds(1_000)),
      ("1764000000.25", .milliseconds(1_764_000_000_250)),
      ("1970-01-01 00:00:00", .zero),
      ("1969-12-31 23:59:59", .seconds(-1)),
      ("2000-02-29 12:34:56", .seconds(951_827_696)),
      ("2026-11-21T11:01:55", .seconds(1_795_258_915)),
      ("2026-11-21 11:01:55.250", .milliseconds(1_795_258_915_250)),
      ("1970-01-01T00:00:00Z", .zero),
      ("2026-05-01T10:00:00.033Z", .milliseconds(1_777_629_600_033)),
      ("2026-05-01T12:00:00,5+02:00", .milliseconds(1_777_629_600_500)),
      ("2026-05-01 06:30:00-0330", .seconds(1_777_629_600)),
      ("2026-05-01 15:00:00+05", .seconds(1_777_629_600)),
      ("0000-01-01 00:00:00", .seconds(-62_167_219_200)),
      ("9999-12-31 23:59:59", .seconds(253_402_300_799)),
    ] as [(String, Duration)]
  )
  func timesAreRead(text: String, expected: Duration) {
    #expect(Timestamp.duration(text) == expected)
  }

  @Test(
    arguments: [
      "", "x", "nan", "inf", "-inf", "1e999", "0x10", "1e12", "1_000", "12:00:00",
      "2026-13-01 00:00:00", "2026-00-01 00:00:00", "2026-02-29 00:00:00", "1900-02-29 00:00:00",
      "2026-01-32 00:00:00", "2026-01-00 00:00:00", "2026-01-01 24:00:00", "2026-01-01 00:60:00",
      "2026-01-01 00:00:60", "2026-1-1 0:0:0", "2026-01-01", "2026-01-01 00:00:00.",
      "2026-01-01 00:00:00z", "2026-01-01 00:00:00+", "2026-01-01 00:00:00+1",
      "2026-01-01 00:00:00+24",
      "2026-01-01 00:00:00+01:60", "2026-01-01 00:00:00+1:00", "2026-01-01 00:00:00.5Z0",
      "2026-01-01 00:00:00.1234567890", "２026-01-01 00:00:00",
    ]
  )
  func anythingElseIsNoTime(text: String) {
    #expect(Timestamp.duration(text) == nil)
  }

  @Test(arguments: [0, 1, 3, 7, 1_763_999_999, 1_073_741_823])
  func differencesOfDecimalsAreExact(second: Int) throws {
    for index in 0..<1_000 {
      let fraction = String(10_000 + index * 7).dropFirst()
      let early = try #require(Timestamp.duration("\(second).\(fraction)"))
      let late = try #require(Timestamp.duration("\(second + 1).\(fraction)"))
      #expect(late - early == .seconds(1))
    }
  }
}
