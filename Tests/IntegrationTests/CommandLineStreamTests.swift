import CourtMapping
import Foundation
import Glibc
import Scenes
import TestSupport
import Testing

/// `ballmachine camera`, with frames that come as a stream.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineStreamTests {
  /// A film of a court, and its camera's calibration at `court.yaml`.
  private static func film(seconds: Int, in setup: CommandLineSetup) async throws -> String {
    let size = try #require(PictureSize(width: 640, height: 360))
    let scene = Scene(.sun, seed: 3, size: size)
    var bytes = [UInt8](repeating: 0, count: size.width * size.height * 3)
    var film = Data()
    for _ in 0..<seconds * Int(Scene.rate) {
      _ = scene.next(into: &bytes)
      film += try #require(JPEG.encode(bytes, width: size.width, height: size.height))
    }
    try film.write(to: URL(fileURLWithPath: setup.path("film")))
    let points = scene.camera.marks(in: size, error: 0.5, seed: 1).flatMap { mark, place in
      ["--point", "\(mark.rawValue)=\(place.u),\(place.v)"]
    }
    let calibrate =
      ["camera", "calibrate", "--size", "640x360", "--write", setup.path("court.yaml")] + points
    let first = try await setup.run(calibrate)
    let sentence = String(try #require(first.lines.first).dropFirst("camera    ".count))
    #expect(try await setup.run(calibrate + ["--confirm", sentence]).code == 0)
    return setup.path("film")
  }

  /// The program's arguments.
  private static func running(_ options: String..., in setup: CommandLineSetup) -> [String] {
    ["camera", "run", "--calibration", setup.path("court.yaml"), "--json"] + options
  }

  /// Where the player is, without times.
  private static func places(_ lines: [String]) throws -> [[String]] {
    lines.compactMap { line in
      guard line.contains("\"u\"") else { return nil }
      return line.split(separator: ",").map(String.init).filter { !$0.hasPrefix("\"t\"") }
    }
  }

  @Test(.mockOnly("it needs no machine"))
  func aPipeHasTheFramesOfItsFile() async throws {
    try await CommandLineSetup.with { setup in
      let film = try await Self.film(seconds: 7, in: setup)
      let file = try await setup.run(Self.running("--from-file", film, "--fast", in: setup))
      let pipe = try await setup.run(
        Self.running("--from-file", "-", "--fast", in: setup),
        script: "cat '\(film)' | \"$@\""
      )
      #expect(file.code == 0 && pipe.code == 0, "\(pipe.errors)")
      let places = try Self.places(file.lines)
      #expect(try places.count > 30 && Self.places(pipe.lines) == places)
    }
  }

  @Test(.mockOnly("it needs no machine"))
  func aSlowReaderMissesNothingAndAFullDiskIsSaid() async throws {
    try await CommandLineSetup.with { setup in
      let film = try await Self.film(seconds: 7, in: setup)
      // More than a pipe holds.
      let running = Self.running("--from-file", film, "--fast", "--repeat", "60", in: setup)
      let lines = setup.path("lines")
      let file = try await setup.run(running, script: "\"$@\" > '\(lines)'; cat '\(lines)'")
      let slow = try await setup.run(running, script: "\"$@\" | (sleep 3; cat)")
      let places = try Self.places(file.lines)
      #expect(places.count > 1500, "\(places.count)")
      #expect(try Self.places(slow.lines) == places)
      let full = try await setup.run(running, script: "\"$@\" > /dev/full")
      #expect(full.code == 74 && full.errors.contains("No space left on device"), "\(full)")
    }
  }

  @Test(.mockOnly("it needs no machine"))
  func whatIsNoStreamIsAnError() async throws {
    try await CommandLineSetup.with { setup in
      for (bytes, reason) in [
        ("", "it has no whole frame"), ("these are no frames", "it has no whole frame"),
        ("\\000\\000\\000\\001gB\\000\\036abcdefg", "H.264 or H.265 without a container"),
      ] {
        let run = try await setup.run(
          ["camera", "run", "--json", "--from-file", "-"],
          script: "printf '\(bytes)' | \"$@\""
        )
        #expect(run.code == 65 && run.errors.contains(reason), "\(run)")
      }
      let twice = try await setup.run(["camera", "run", "--from-file", "-", "--repeat", "2"])
      #expect(twice.code == 64, "\(twice)")
    }
  }

  /// The frames that the camera's service has got.
  private static func frames(_ setup: CommandLineSetup) async throws -> Int {
    struct Status: Decodable {
      struct Frames: Decodable {
        var taken: Int
        var passedOver: Int
        var old: Int
      }
      var frames: Frames
    }
    let status = try await setup.run(["camera", "status", "--json"])
    let frames = try JSONDecoder().decode(Status.self, from: Data(status.output.utf8)).frames
    return frames.taken + frames.passedOver + frames.old
  }

  @Test(.mockOnly("it needs no machine"))
  func aFIFOWaitsForItsNextWriter() async throws {
    try await CommandLineSetup.with { setup in
      let film = try await Self.film(seconds: 1, in: setup)
      let fifo = setup.path("frames")
      #expect(mkfifo(fifo, 0o600) == 0)
      let camera = try setup.start(Self.running("--from-file", fifo, in: setup))
      try await setup.appears("camera.sock")
      var seen = 0
      for _ in 1...2 {
        let writer = try await setup.run(["--version"], script: "cat '\(film)' > '\(fifo)'")
        #expect(writer.code == 0)
        while try await Self.frames(setup) < seen + Int(Scene.rate) {
          try await Task.sleep(for: .milliseconds(20))
        }
        seen = try await Self.frames(setup)
      }
      #expect(try await camera.terminate().code == 0)
    }
  }

  @Test(.mockOnly("it needs no machine"))
  func aProgramIsStartedAgain() async throws {
    try await CommandLineSetup.with { setup in
      let film = try await Self.film(seconds: 1, in: setup)
      let script = "cat '\(film)'; echo no more >&2; exit 3"
      let config = try setup.write(
        "camera: {command: [sh, -c, \"\(script)\"]}\n",
        to: "camera.yaml"
      )
      let camera = try setup.start(Self.running("--config", config, in: setup))
      try await setup.appears("camera.sock")
      while try await Self.frames(setup) < 2 * Int(Scene.rate) {
        try await Task.sleep(for: .milliseconds(20))
      }
      let listed = try await setup.run(["camera", "list", "--config", config, "--json"])
      #expect(listed.output.contains("\"device\":\"sh\""), "\(listed)")
      let end = try await camera.terminate()
      #expect(end.code == 0, "\(end)")
      #expect(end.errors.contains("sh: it has ended, status 3; it said: no more"), "\(end.errors)")
    }
  }

  @Test(.mockOnly("it needs no machine"))
  func aPasswordInAnAddressIsRefusedWithoutRepeatingIt() async throws {
    try await CommandLineSetup.with { setup in
      let address = "rtsp://cam:s3cret@192.0.2.1/s"
      let config = try setup.write("camera: {source: \"\(address)\"}\n", to: "camera.yaml")
      for (options, code) in [(["--source", address], 64), (["--config", config], 78)] {
        let run = try await setup.run(["camera", "run"] + options)
        #expect(run.code == code && run.errors.contains("password-file"), "\(run)")
        #expect(!(run.errors + run.output).contains("s3cret"), "\(run)")
      }
    }
  }
}
