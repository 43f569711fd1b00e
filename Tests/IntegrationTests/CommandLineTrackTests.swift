import Foundation
import TestSupport
import Testing

/// Files as trackers write them, played and checked.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineTrackTests {
  /// A player who walks to the right along the baseline, 30 times a second.
  private static func walk(_ line: (Int, Double, Double) -> String) -> String {
    (0..<120).map { line($0, 4.1 + Double($0) / 100, 11) }.joined(separator: "\n") + "\n"
  }

  private static let feet = walk { "\(Double($0) / 30),\($1 / 0.3048),\($2 / 0.3048)" }
  private static let wholeCourt = walk { "\(Double($0) / 30),\($1 + 1.37),\($2 + 11.885)" }
  private static let middle = walk { "\(Double($0) / 30),\($1 - 7),\($2)" }
  private static let parts = walk {
    #"{"t": \#(Double($0) / 30), "x": \#($1 / 8.23), "y": \#($2 / 11.885)}"#
  }
  private static let frames = "frame,x,y\n" + walk { "\($0),\($1),\($2)" }
  private static let numbers = walk { "\($0),\($1),\($2)" }
  private static let milliseconds = walk { "\($0 * 33),\($1),\($2)" }
  private static let list =
    "[" + walk { #"{"t": \#(Double($0) / 30), "x": \#($1), "y": \#($2)},"# } + "]"

  @Test(
    arguments: [
      (feet, 65, "they look like feet (--units feet)", ["--units", "feet"]),
      (wholeCourt, 65, "(--origin far-left)", ["--origin", "far-left"]),
      (parts, 65, "(--scale 8.23,11.885)", ["--scale", "8.23,11.885"]),
      (middle, 0, "may not be metres of the player's half", ["--origin", "centre"]),
      (frames, 65, "say it, such as --time frames@30", ["--time", "frames@30"]),
      (numbers, 0, "say how many a second, such as --time frames@30", ["--time", "frames@30"]),
      (milliseconds, 0, "say --time ms", ["--time", "ms"]),
    ]
  )
  func whatIsRightInFormAndWrongInMeaningIsTold(
    text: String,
    code: Int32,
    told: String,
    options: [String]
  ) async throws {
    try await CommandLineSetup.with { setup in
      let file = try setup.write(text, to: "track")
      let wrong = try await setup.run(["replay", "--dry-run", file])
      #expect(wrong.code == code && wrong.errors.contains(told), "\(wrong)")
      if code == 65 { #expect(!wrong.output.contains("zone")) }
      let right = try await setup.run(["replay", "--dry-run"] + options + [file])
      #expect(right.code == 0 && right.errors.isEmpty, "\(right)")
      #expect(right.output.contains("2 decisions from 120 positions in"), "\(right)")
      #expect(right.output.contains("zone 3-"), "\(right)")
      let check = try await setup.run(["check-track"] + options + [file])
      #expect(check.code == 0 && !check.output.contains("warning"), "\(check)")
      #expect(check.output.contains(/(29.9|30.0|30.3) a second/), "\(check)")
    }
  }

  @Test func anArrayIsPlayed() async throws {
    try await CommandLineSetup.with { setup in
      let file = try setup.write(Self.list.replacing(",\n]", with: "]"), to: "track.json")
      let replay = try await setup.run(["replay", "--dry-run", file])
      #expect(replay.code == 0 && replay.output.contains("120 positions"), "\(replay)")
    }
  }

  @Test func aTrackIsDrawnAndMadeToRun() async throws {
    try await CommandLineSetup.with { setup in
      let file = try setup.write(Self.feet, to: "a track.csv")
      let check = try await setup.run(["check-track", file])
      #expect(check.code == 65)
      #expect(check.output.contains("Where the positions are, with --units feet:"), "\(check)")
      #expect(check.output.contains("█"))
      // The line that it names runs as it is.
      let line = try #require(check.output.split(separator: "\n").last { $0.hasPrefix("Try it: ") })
      #expect(line.hasSuffix("--units feet '\(file)'"))
      let words = line.dropFirst("Try it: ballmachine ".count)
      let tried = try await setup.run([], script: "exec \"$1\" \(words)")
      #expect(tried.code == 0 && tried.output.contains("2 decisions"), "\(tried)")

      let json = try await setup.run(["check-track", "--json", file])
      let record = try #require(
        try JSONSerialization.jsonObject(with: Data(json.output.prefix { $0 != "\n" }.utf8))
          as? [String: Any]
      )
      #expect(record["event"] as? String == "track" && record["fit"] as? String == "impossible")
      #expect((record["suggestions"] as? [String])?.first == "--units feet")
      #expect(record["positions"] as? Int == 120)
    }
  }

  @Test func onePersonIsFollowedOfSeveral() async throws {
    try await CommandLineSetup.with { setup in
      let text = Self.walk {
        "\(Double($0) / 30),\($1),\($2),1\n\(Double($0) / 30),\($1),4,2"
      }
      let file = try setup.write("t,x,y,id\n" + text, to: "track.csv")
      for (options, zone) in [([], "3-"), (["--player", "2"], "1-")] {
        let replay = try await setup.run(["replay", "--dry-run"] + options + [file])
        #expect(replay.output.contains("zone \(zone)"), "\(replay)")
        #expect(replay.errors.contains("positions of 2 people, “1”, “2”") == options.isEmpty)
      }
      let nobody = try await setup.run(["replay", "--dry-run", "--player", "3", file])
      #expect(nobody.code == 65 && nobody.errors.contains("no person has the id “3”"), "\(nobody)")
    }
  }

  @Test func pointsOfAPictureNeedACalibration() async throws {
    try await CommandLineSetup.with { setup in
      let text = Self.walk {
        #"{"t": \#(Double($0) / 30), "box": [\#(600 + $1), 300, 80, \#($2 + 182)]}"#
      }
      let file = try setup.write(text, to: "track.ndjson")
      #expect(try await setup.run(["check-track", file]).code == 65)
      let calibration = try setup.write(SampleCalibration.file, to: "camera.yaml")
      let check = try await setup.run(["check-track", "--calibration", calibration, file])
      #expect(check.code == 0 && check.output.contains("positions  120 in"), "\(check)")
    }
  }
}
