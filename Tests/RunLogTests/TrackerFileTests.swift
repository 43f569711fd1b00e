import CourtLogic
import Positions
import RunLog
import Testing

/// Files as trackers write them.
struct TrackerFileTests {
  private func track(
    _ text: String,
    _ reading: TrackReading = TrackReading()
  ) throws(TrackError) -> Track {
    try Track(bytes: Array(text.utf8), as: reading)
  }

  private func problem(_ text: String, _ reading: TrackReading = TrackReading()) -> String? {
    do throws(TrackError) {
      _ = try track(text, reading)
      return nil
    } catch {
      return error.text(in: "FILE")
    }
  }

  // MARK: People

  private static let two = (0..<100).flatMap { step in
    [
      #"{"t": \#(Double(step) / 30), "id": 1, "x": 4.1, "y": 11}"#,
      #"{"t": \#(Double(step) / 30), "id": 2, "x": 3.9, "y": 4}"#,
    ]
  }.joined(separator: "\n")

  @Test func onePersonIsFollowed() throws {
    let track = try track(Self.two)
    #expect(track.positions.count == 100)
    #expect(track.positions.allSatisfy { $0.position.y == 11 })
    #expect(
      track.people == [
        TrackPerson(id: "1", positions: 100, followed: 100),
        TrackPerson(id: "2", positions: 100, followed: 0),
      ]
    )
  }

  @Test func aPersonIsChosen() throws {
    var reading = TrackReading()
    reading.player = "2"
    let track = try track(Self.two, reading)
    #expect(track.positions.count == 100 && track.positions.allSatisfy { $0.position.y == 4 })
    reading.player = "3"
    #expect(problem(Self.two, reading) == "FILE: no person has the id “3”; the file has “1”, “2”")
  }

  @Test func whoComesAfterASecondIsFollowed() throws {
    let track = try track("t,x,y,id\n0,4,9,a\n0.5,4,3,b\n1.6,4,4,b\n2,4,9,a\n")
    #expect(track.positions.map(\.position.y) == [9, 4])
  }

  // MARK: Arrays and documents

  @Test func anArrayIsReadElementByElement() throws {
    let track = try track(
      """
      [
        {"t": 0, "x": 4.1, "y": 9, "note": "a ] and a \\"[{"},
        {"t": 1, "x": 4.2,
         "y": 9.5}, {"t": 2, "x": "4", "y": 9},

        {"t": 3, "x": 4.3, "y": 9}
      ]
      """
    )
    #expect(track.positions.map(\.position.x) == [4.1, 4.2, 4.3])
    #expect(track.badLines.map(\.line) == [4])
  }

  @Test(arguments: ["[", "[]", "[ ]\n"]) func anEmptyArrayHasNoPositions(text: String) throws {
    #expect(try track(text).positions.isEmpty)
  }

  @Test func aTornArrayKeepsWhatIsWhole() throws {
    let track = try track(#"[{"t": 0, "x": 4, "y": 9}, {"t": 1, "x": 4"#)
    #expect(track.positions.count == 1)
    #expect(track.badLines.map(\.reason) == [.cut])
    #expect(
      problem("[[0, 4, 9], [1, 4, 9]]")?.hasPrefix("FILE:1:1: an array") == true
    )
  }

  @Test func anElementIsBounded() throws {
    let long = String(repeating: "a", count: 10_000)
    let track = try track(#"[{"t": 0, "x": 4, "y": 9}, {"t": 1, "a": "\#(long)"}]"#)
    #expect(track.positions.count == 1 && track.badLines.map(\.reason) == [.tooLong])
  }

  @Test(
    arguments: [
      (
        #"{"info": {"fps": 30}, "ball": [{"a": 1}], "players": {"near": [{"frame": 0, "court_xy": [4, 9]}, {}]}}"#,
        ".players.near[] | {t: .frame, x: .court_xy[0], y: .court_xy[1]}"
      ),
      (
        #"{"frames": [{"timestamp": 0, "x": 4, "y": 9, "conf": 1, "track_id": 2}]}"#,
        ".frames[] | {t: .timestamp, x, y, conf, track_id}"
      ),
      (
        #"{"frame_0": [{"id": 1, "x": 4, "y": 9}], "frame_1": [], "frame_2": [{}]}"#,
        #"to_entries[] | ((.key | ltrimstr("frame_")) | tonumber) as $t | .value[] | {t: $t, x, y, id}"#
      ),
      (
        #"{"video": {"0": [{"x": 4, "y": 9}], "1": []}}"#,
        #".video | to_entries[] | (.key | tonumber) as $t | .value[] | {t: $t, x, y}"#
      ),
      (#"{"rows": [{"t": 0, "lat": 1}]}"#, ".rows[] | {t, x: .X, y: .Y}"),
    ]
  )
  func aDocumentIsToldItsLineOfJQ(text: String, program: String) {
    let expected =
      "FILE: one JSON document, not one object a line: jq -c '\(program)' FILE makes it so"
    #expect(problem(text) == expected)
    #expect(problem(text.replacing(",", with: ",\n")) == expected)
  }

  /// A damaged first line is no document.
  @Test func aFileOfLinesStaysOne() throws {
    let lines = "{\"t\": 0, \"x\": 4,\n{\"t\": 1, \"x\": 4, \"y\": 9}\n"
    #expect(try track(lines).badLines.map(\.line) == [1])
    #expect(try track(lines).positions.count == 1)
    #expect(try track("{\"a\": 1}\n{\"t\": 1, \"x\": 4, \"y\": 9}\n").positions.count == 1)
  }

  // MARK: Times

  private static func steps(_ time: (Int) -> String, stride: Double = 0.03) -> String {
    (0..<40).map { "\(time($0)),\(4 + Double($0) * stride),11" }.joined(separator: "\n")
  }

  @Test func timesThatAreNoSecondsAreTold() throws {
    #expect(try track(Self.steps { "\($0)" }).timeGuess == .frames)
    #expect(try track(Self.steps { "\($0 * 33)" }).timeGuess == .milliseconds)
    #expect(try track(Self.steps { "\(Double($0) * 33.333)" }).timeGuess == .milliseconds)
    var reading = TrackReading()
    reading.time = .seconds
    #expect(try track(Self.steps { "\($0)" }, reading).timeGuess == nil)
  }

  @Test func secondsAreTakenForSeconds() throws {
    #expect(try track(Self.steps { "\(Double($0) / 30)" }).timeGuess == nil)
    // Once a second, and walking.
    #expect(try track(Self.steps({ "\($0)" }, stride: 0.9)).timeGuess == nil)
    #expect(try track(Self.steps { "2026-05-01 10:00:\($0 + 10)" }).timeGuess == nil)
    #expect(try track(Self.steps { "\(1_777_629_600 + $0)" }).timeGuess == nil)
  }
}
