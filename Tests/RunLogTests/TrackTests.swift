import CourtLogic
import Foundation
import Positions
import RunLog
import TestSupport
import Testing

struct TrackTests {
  @Test func aTrackIsPacedByItsOwnTimes() throws {
    let track = try Track(bytes: Array("timestamp,x,y\r\n100.5,1,2\r\n100.5,1,3\n\n103,2,3".utf8))
    #expect(track.positions.map(\.offset) == [.zero, .zero, .milliseconds(2_500)])
    #expect(track.positions.map(\.position.y) == [2, 3, 3])
    #expect(track.badLines.isEmpty)
  }

  @Test func objectsAndDatesWorkToo() throws {
    let objects = try Track(bytes: Array(#"{"x":1,"y":2,"t":5}"#.utf8))
    #expect(objects.positions.map(\.offset) == [.zero])
    let dates = try Track(
      bytes: Array("2026-12-31 23:59:59,1,2\n2027-01-01 00:00:01,1,2\n".utf8)
    )
    #expect(dates.positions.map(\.offset) == [.zero, .seconds(2)])
  }

  @Test(arguments: ["", "timestamp,x,y\n", "\n\n"]) func anEmptyTrackIsFine(text: String) throws {
    let track = try Track(bytes: Array(text.utf8))
    #expect(track.positions.isEmpty)
    #expect(Array(TrackPlayer(track, duration: .seconds(10))).isEmpty)
  }

  @Test func badLinesAreToldAndTheRestGoesOn() throws {
    let track = try Track(bytes: Array("0,1,2\n1,x,2\n2,1,99\n3,1,2\n".utf8))
    #expect(track.positions.map(\.offset) == [.zero, .seconds(3)])
    #expect(
      track.badLines == [
        BadLine(line: 2, text: "1,x,2", reason: .notANumber(column: "x", text: "x")),
        BadLine(line: 3, text: "2,1,99", reason: .position(.tooFar(.y, metres: 99))),
      ]
    )
  }

  @Test(
    arguments: [
      (
        "timestamp,x,y\n0,1,2\n2,1,2\n1,1,2\n",
        "FILE:4:1: its time, 1.0 s, is before the previous one, 2.0 s"
      ),
      (
        #"{"x":1,"y":2}"#,
        "FILE:1:1: “t” is missing: a recorded track is paced by its own times"
          + " (t, time, timestamp, seconds, ms or frame)"
      ),
      (
        "frame,timestamp,u,v\n0,0.0,552.56,930.60\n",
        "FILE:2:1: “u” and “v” need a calibration, and court.calibration names none;"
          + " no line has a usable position"
      ),
    ]
  )
  func aFileThatIsNoTrackSaysWhy(text: String, expected: String) {
    do {
      _ = try Track(bytes: Array(text.utf8))
      Issue.record("the track was taken")
    } catch {
      #expect(error.text(in: "FILE") == expected)
    }
  }

  @Test func aRunLogInUTF16IsNoTrack() throws {
    let log =
      #"{"event":"session","version":1}"# + "\n"
      + #"{"event":"position","x":1,"y":2,"connection":"a","t":0}"#
    #expect(try Track(bytes: Array(log.utf8)).positions.count == 1)
    let wide: [UInt8] = log.utf16.flatMap { [UInt8($0), 0] }
    #expect(throws: TrackError.self) { try Track(bytes: wide) }
    // One line of it among good ones.
    let stray = #"{"event":"position","x":3,"y":2,"connection":"a","t":1}"#
    let wideStray: [UInt8] = stray.utf16.flatMap { [UInt8($0), 0] }
    let track = try Track(bytes: Array((log + "\n").utf8) + wideStray)
    #expect(track.positions.count == 1 && track.badLines.count == 1)
  }

  @Test func filesAreReadWholeAndMissingOnesAreNamed() throws {
    let directory = try TemporaryDirectory()
    let rows = (0..<10_000).map { "\(Double($0) / 24),1,2" }
    let path = try directory.write(rows.joined(separator: "\n"), to: "track.csv")
    #expect(try Track(path: path).positions.count == 10_000)
    do {
      _ = try Track(path: directory("none.csv"))
      Issue.record("the track was read")
    } catch {
      let text = error.text(in: "none.csv")
      #expect(text == "can't open \(directory.path)/none.csv: No such file or directory")
    }
  }

  /// The real detector's track, when the checkout has its neighbour folder.
  private static let rally = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../shared/data/rally_near_player.csv").standardized.path

  @Test(.enabled(if: FileManager.default.fileExists(atPath: rally)))
  func theRealTrackHas183Of214PositionsOutOfCourt() throws {
    let track = try Track(path: Self.rally)
    #expect(track.positions.count == 214)
    #expect(track.badLines.isEmpty)
    #expect(track.positions.filter { Court().zone(at: $0.position) == nil }.count == 183)
  }
}

struct TrackPlayerTests {
  @Test func withoutDurationATrackPlaysOnce() throws {
    let track = try Track(bytes: Array("5,1,2\n6,2,2\n8,3,2\n".utf8))
    #expect(Array(TrackPlayer(track)) == track.positions)
  }

  @Test func aShortTrackStartsAgainAfterItsMeanInterval() throws {
    let track = try Track(bytes: Array("0,1,2\n0.1,2,2\n0.4,3,2\n".utf8))
    let played = Array(TrackPlayer(track, duration: .milliseconds(1_000)))
    #expect(
      played.map(\.offset) == [0, 100, 400, 600, 700, 1_000].map { .milliseconds($0) }
    )
    #expect(played.map(\.position.x) == [1, 2, 3, 1, 2, 3])
  }

  @Test(arguments: [("0,1,2\n", 500), ("0,1,2\n0,2,2\n", 10), ("0,1,2\n5,1,2\n", 5_500)])
  func theGapKeepsTheStreamSteady(text: String, period: Int) throws {
    let track = try Track(bytes: Array(text.utf8))
    let player = TrackPlayer(track, duration: .seconds(20))
    let starts = player.map(\.offset).enumerated()
      .filter { $0.offset % track.positions.count == 0 }.map(\.element)
    #expect(starts.count >= 4)
    for (index, start) in starts.enumerated() { #expect(start == .milliseconds(period) * index) }
  }

  @Test func aLongTrackIsCutAtTheDuration() throws {
    let track = try Track(bytes: Array("0,1,2\n1,2,2\n2,3,2\n".utf8))
    let played = TrackPlayer(track, duration: .milliseconds(1_500)).map(\.offset)
    #expect(played == [.zero, .seconds(1)])
  }
}
