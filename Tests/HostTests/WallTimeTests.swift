import Clocks
import Foundation
import Host
import Testing

struct WallTimeTests {
  private let since = WallTime(secondsSince1970: 1_795_269_600)

  @Test func wallTimeIsLocalForPeopleAndUniversalForMachines() {
    #expect(since.iso8601 == "2026-11-21T14:00:00Z")
    #expect(since.preciseISO8601 == "2026-11-21T14:00:00.000Z")
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "HH:mm:ss"
    #expect(since.local == formatter.string(from: Date(timeIntervalSince1970: 1_795_269_600)))
  }

  @Test(arguments: [1.0, 4])
  func wallTimeIsReckonedFromNow(speed: Double) throws {
    let clock = SystemClock(speed: speed)
    let before = Date()
    let then = WallTime(of: clock.now.advanced(by: .seconds(-100) * speed), on: clock)
    let after = Date()
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let told = try Date(then.preciseISO8601, strategy: format).addingTimeInterval(100)
    // What is told is rounded down to the millisecond.
    #expect((before.addingTimeInterval(-0.002)...after).contains(told))
  }

  @Test(arguments: [(0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.000Z")])
  func aClockThatWasNeverSetIsToldAsItIs(seconds: Int, text: String) {
    #expect(WallTime(secondsSince1970: seconds).preciseISO8601 == text)
  }

  @Test(
    arguments: [
      "2026-11-21T14:00:00Z", "1969-12-31T23:59:59Z", "2024-02-29T00:00:00Z",
      "9999-12-31T23:59:59Z",
    ]
  )
  func whatIsWrittenIsRead(text: String) throws {
    let time = try #require(WallTime(iso8601: text))
    #expect(time.iso8601 == text)
    let date = try Date(text, strategy: .iso8601)
    #expect(time == WallTime(secondsSince1970: Int(date.timeIntervalSince1970)))
    let written = try JSONEncoder().encode([time])
    #expect(String(decoding: written, as: UTF8.self) == #"["\#(text)"]"#)
    #expect(try JSONDecoder().decode([WallTime].self, from: written) == [time])
  }

  @Test func millisecondsAreReadToo() throws {
    let time = try #require(WallTime(iso8601: "2026-11-21T14:00:00.250Z"))
    #expect(time == WallTime(since1970: .milliseconds(1_795_269_600_250)))
    #expect(time.duration(since: WallTime(secondsSince1970: 1_795_269_590)) == .seconds(10.25))
  }

  @Test(
    arguments: [
      "", "2026-11-21", "2026-11-21T14:00:00", "2026-11-21T14:00:00.25Z",
      "2026-11-21T14:00:00+01:00", "2026-11-21 14:00:00Z", " 2026-11-21T14:00:00Z",
      "2026-11-21T14:00:00Z ", "2026-1-1T14:00:00Z", "2026-02-30T14:00:00Z",
      "2026-13-21T14:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T14:00:60Z",
      "yesterday-11-21T14:00:00Z", "999999999-1-1T1:1:1Z", "2026-11-21T14:00:0٣Z",
    ]
  )
  func noOtherTextIsATime(text: String) throws {
    #expect(WallTime(iso8601: text) == nil)
    let data = try JSONEncoder().encode([text])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([WallTime].self, from: data)
    }
  }
}
