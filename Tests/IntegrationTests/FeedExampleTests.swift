import Foundation
import TestSupport
import Testing

/// The examples that turn what other tools write into the lines of a feeder, and the commands for it in
/// `Feeds.md`. `Tests/Feeds` has rows of the tools' forms; the figures are invented.
@Suite(.mustEnd, .mockOnly("they need no machine"))
struct FeedExampleTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../..").standardized.path

  struct Feed: Sendable, CustomTestStringConvertible {
    /// As its user types it in the folder of the tool's file.
    var command: String
    var lines: [String]

    var testDescription: String { command }
  }

  /// Runs bash in the folder of the tools' files, where the examples and the program are in the path.
  private static func script(_ command: String) -> String {
    "PATH=${1%/*}:\(root)/tools/examples:$PATH; cd \(root)/Tests/Feeds; set -o pipefail; \(command)"
  }

  @Test(arguments: [
    // `to_json()` of ultralytics 8.3 in both of its forms: indented, and in one line since it uses polars.
    Feed(
      command: "from-ultralytics.jq --argjson size '[1280, 720]' --argjson rate 25 results.json",
      lines: [
        #"{"size":[1280,720]}"#,
        #"{"t":0,"id":1,"confidence":0.91342,"box":[601.25,312.5,67.5,185.531]}"#,
        #"{"t":0.08,"id":1,"confidence":0.90117,"box":[603.5,312,67.5,185.5]}"#,
        #"{"t":0.08,"id":7,"confidence":0.40381,"box":[90,250,20.5,60.25]}"#,
      ]
    ),
    // `save_txt` of ultralytics 8.3: with `save_conf`, without, not yet tracked, and of a pose model.
    Feed(
      command: "from-ultralytics.awk -v size=1280,720 -v rate=25 $(ls -v labels/*.txt)",
      lines: [
        #"{"size":[1280,720]}"#,
        #"{"t":0.04,"confidence":0.913424,"id":1,"box":[601.25,312.55,67.5,185.53]}"#,
        #"{"t":0.08,"id":1,"box":[603.5,312,67.5,185.5]}"#,
        #"{"t":0.4,"box":[608.75,312.37,67.5,185.75]}"#,
        #"{"t":0.44,"confidence":0.874512,"id":1,"box":[611.25,312.62,67.5,185.75]}"#,
      ]
    ),
    // ByteTrack's demo_track.py; -1 as confidence is of CenterTrack's save_track.py.
    Feed(
      command: "sort -t, -k1,1n mot.txt | from-mot.awk -v size=1280,720 -v rate=25",
      lines: [
        #"{"size":[1280,720]}"#,
        #"{"t":0.04,"id":"1","box":[601.2,312.5,67.5,185.5],"confidence":0.91}"#,
        #"{"t":0.04,"id":"2","box":[90,250,20.5,60.2],"confidence":0.62}"#,
        #"{"t":0.08,"id":"1","box":[603.5,312,67.5,185.5],"confidence":0.9}"#,
        #"{"t":0.12,"id":"1","box":[606,311.5,67.5,186]}"#,
      ]
    ),
    // The topic frigate/events of Frigate 0.14.
    Feed(
      command: "from-frigate.jq --arg camera court --argjson size '[1280, 720]' events.json",
      lines: [
        #"{"size":[1280,720]}"#,
        #"{"t":1714000002.45,"id":"1714000001.113377-k3p9qa","confidence":0.8203,"#
          + #""box":[600,312,68,186]}"#,
      ]
    ),
    // `ros2 topic echo` of ROS 2 Humble; the second position is not known.
    Feed(
      command: "from-ros2.py pose.yaml",
      lines: [
        #"{"t":1714000002.04,"x":4.125,"y":9.8125}"#,
        #"{"t":1714000002.14,"x":NaN,"y":NaN}"#,
        #"{"t":1714000002.24,"x":-0.25,"y":9.75}"#,
      ]
    ),
    Feed(
      command: "from-ros2.py point.yaml",
      lines: [#"{"t":1714000002.04,"x":4.125,"y":9.8125}"#]
    ),
    // vision_msgs 4.1: a racket, a person who might be a chair, and a picture without anything.
    Feed(
      command: "from-ros2.py --size 1280 720 detections.yaml",
      lines: [
        #"{"size":[1280,720]}"#,
        #"{"t":1714000002.04,"id":"1","confidence":0.9141,"box":[601.25,312.5,67.5,185.5]}"#,
      ]
    ),
  ])
  func aToolsOutputBecomesLines(_ feed: Feed) async throws {
    let result = try await BuiltProgram.run([], script: Self.script(feed.command))
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.lines.map(Self.plain) == feed.lines.map(Self.plain))
  }

  /// jq and Python write the same number in other ways.
  private static func plain(_ line: String) -> String {
    line.replacing(" ", with: "").replacing(/\d+(\.\d+)?/) { number in
      String(format: "%.3f", Double(number.0) ?? .nan)
    }
  }

  /// PoseLandmarkerResult of MediaPipe's tasks for the web 0.10, as JSON, with the frame's time: a person,
  /// none, and the landmarks of one person alone.
  @Test func mediaPipesLandmarksBecomePoints() async throws {
    try await expect(
      "from-mediapipe.jq --argjson size '[1280, 720]' mediapipe.json",
      size: "[1280,720]",
      ankles: [
        (1.0333, [656.281, 483.12, 0.951, 623.593, 483.12, 0.958]),
        (1.1, [667.305, 486.72, 0.951, 637.382, 486.72, 0.31]),
      ]
    )
  }

  /// MoveNet in @tensorflow-models/pose-detection 2.1, with the columns of that library's demonstrations: an
  /// ankle that was not found, and a frame without any point.
  @Test func moveNetsPointsBecomePoints() async throws {
    try await expect(
      try command(about: "keypoints_with_scores.csv"),
      size: "[640,360]",
      ankles: [
        (0.033, [325.702, 335.787, 0.6, 313.216, 344.132, 0.785]),
        (0.067, [326.736, 335.521, 0.69, 0, 0, 0]),
        (0.1, [329.889, 335.584, 0.799, 316.301, 344.445, 0.894]),
        (0.133, [0, 0, 0, 0, 0, 0]),
      ]
    )
  }

  private func expect(
    _ command: String,
    size: String,
    ankles: [(time: Double, points: [Double])]
  ) async throws {
    let result = try await BuiltProgram.run([], script: Self.script(command))
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.lines.first == #"{"size":\#(size)}"#)
    let lines = result.lines.dropFirst()
    try #require(lines.count == ankles.count)
    for (line, expected) in zip(lines, ankles) {
      let frame = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let time = try #require(frame?["t"] as? Double)
      let listed = try #require(frame?["keypoints"] as? [Any])
      let points = listed.flatMap { $0 as? [Double] ?? [$0 as? Double ?? .nan] }
      #expect(points.count == 51)
      let seen = [time] + points.suffix(6)
      #expect(
        zip(seen, [expected.time] + expected.points).allSatisfy { abs($0 - $1) < 0.001 },
        "\(line)"
      )
    }
  }

  /// The command in `Feeds.md` that reads this file.
  private func command(about file: String) throws -> String {
    let page = Self.root + "/Sources/ballmachine/ballmachine.docc/Feeds.md"
    let blocks = try String(contentsOfFile: page, encoding: .utf8).matches(
      of: /(?s)```sh\n(.*?)```/
    )
    return try #require(blocks.map { String($0.1) }.first { $0.contains(file) })
  }

  /// tracking_players.csv of ArtLabss/tennis-tracking, of 2021: the far player's feet, then the near one's.
  @Test func theNearPlayersColumnsBecomeLines() async throws {
    let script = Self.script(try command(about: "tracking_players.csv"))
    let result = try await BuiltProgram.run([], script: script)
    #expect(result.code == 0, "\(result.errors)")
    let lines = [
      #"{"size":[1920,1080]}"#, #"{"t":0,"u":905,"v":742}"#, #"{"t":0.04,"u":907,"v":741}"#,
      #"{"t":0.08,"u":910,"v":741}"#,
    ]
    #expect(result.lines.map(Self.plain) == lines.map(Self.plain))
  }

  /// Positions that wait in a buffer come too late.
  @Test(arguments: [
    ("from-ultralytics.jq --argjson size '[1280, 720]' --argjson rate 25", "results.json"),
    ("from-frigate.jq --arg camera court --argjson size '[1280, 720]'", "events.json"),
    ("from-mediapipe.jq --argjson size '[1280, 720]'", "mediapipe.json"),
    ("from-ros2.py", "pose.yaml"),
  ])
  func aLiveFilterWaitsForNothing(_ command: String, file: String) async throws {
    let script = "unset PYTHONUNBUFFERED; " + Self.script(command)
    let filter = try RunningProgram([], script: script)
    filter.write(try String(contentsOfFile: Self.root + "/Tests/Feeds/" + file, encoding: .utf8))
    for await line in filter.lines where line.hasPrefix(#"{"t":"#) { break }
    filter.endInput()
    #expect(await filter.result().code == 0)
  }

  /// What the bridge takes of a filter's lines, in metres and in pixels.
  @Test(arguments: [
    ("from-ros2.py pose.yaml", 2, 1), ("tracking_players.csv", 3, 0),
    ("keypoints_with_scores.csv", 3, 1),
    ("from-ultralytics.jq --argjson size '[1280, 720]' --argjson rate 25 results.json", 2, 1),
    ("from-ultralytics.awk -v size=1280,720 -v rate=25 $(ls -v labels/*.txt)", 3, 0),
    ("from-mot.awk -v size=1280,720 -v rate=25 mot.txt", 3, 0),
    ("from-frigate.jq --arg camera court --argjson size '[1280, 720]' events.json", 1, 0),
    ("from-mediapipe.jq --argjson size '[1280, 720]' mediapipe.json", 2, 0),
    ("from-ros2.py --size 1280 720 detections.yaml", 1, 0),
  ])
  func theBridgeTakesTheLines(_ source: String, positions: Int, refused: Int) async throws {
    let filter = source.hasPrefix("from-") ? source : try command(about: source)
    try await CommandLineSetup.with { setup in
      let calibration = try setup.write(SampleCalibration.file, to: "court.yaml")
      let script = Self.script(#"program=$1; shift; (\#(filter)) | "$program" "$@""#)
      var simulation = try setup.start(
        ["simulate", "--json", "--calibration", calibration, "--positions", "-"],
        script: script
      )
      let summary = try await simulation.next("summary")
      #expect(summary.positions == positions && summary.badLines == refused)
    }
  }
}
