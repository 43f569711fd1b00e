import Calibrations
import CourtMapping
import Foundation
import Host
import Scenes
import TestSupport
import Testing

/// `ballmachine camera`, with frames of a rendered court.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineCameraTests {
  /// A film, and what is true of its frames.
  private struct Film {
    let path: String
    let truths: [CourtPoint?]
    let options: [String]

    /// - Parameter seconds: the player comes after three.
    init(_ setting: Setting, seconds: Int, in setup: CommandLineSetup) throws {
      let size = try #require(PictureSize(width: 640, height: 360))
      let scene = Scene(setting, seed: 3, size: size)
      var bytes = [UInt8](repeating: 0, count: size.width * size.height * 3)
      var (film, truths): (Data, [CourtPoint?]) = (Data(), [])
      for _ in 0..<seconds * Int(Scene.rate) {
        let truth = scene.next(into: &bytes)
        truths.append(truth.isVisible ? truth.foot : nil)
        film += try #require(JPEG.encode(bytes, width: size.width, height: size.height))
      }
      path = setup.path("film.mjpeg")
      try film.write(to: URL(fileURLWithPath: path))
      self.truths = truths
      let marks = scene.camera.marks(in: size, error: 0.5, seed: 1)
      options =
        ["--size", "640x360"]
        + marks.flatMap { mark, place in
          ["--point", "\(mark.rawValue)=\(place.u),\(place.v)"]
        }
    }

    /// Calibrates as a person does who has compared the sentence with the camera.
    func calibrate(_ setup: CommandLineSetup) async throws -> Calibration {
      let path = setup.path("court.yaml")
      let calibrate = ["camera", "calibrate", "--write", path] + options
      let first = try await setup.run(calibrate)
      #expect(first.code == 65 && first.errors.contains("--confirm '"), "\(first)")
      #expect(!FileManager.default.fileExists(atPath: path))
      let line = try #require(first.lines.first)
      let sentence = String(line.dropFirst("camera    ".count))
      let second = try await setup.run(calibrate + ["--confirm", sentence])
      #expect(second.code == 0, "\(second)")
      #expect(try await setup.run(["check-calibration", path]).code == 0)
      let size = try #require(PictureSize(width: 640, height: 360))
      var marks: [CourtMark: PicturePoint] = [:]
      for (option, value) in zip(options, options.dropFirst()) where option == "--point" {
        let parts = value.split { $0 == "=" || $0 == "," }.map(String.init)
        let mark = try #require(CourtMark(rawValue: parts[0]))
        marks[mark] = PicturePoint(Double(parts[1]) ?? -1, Double(parts[2]) ?? -1)
      }
      return try Calibration(marks: marks, size: size)
    }
  }

  /// A position that was printed.
  private struct Printed: Decodable {
    var u: Double
    var v: Double
    var t: Double
  }

  @Test(.mockOnly("it needs no machine"))
  func thePlayerOfAFilmIsFollowed() async throws {
    try await CommandLineSetup.with { setup in
      let film = try Film(.sun, seconds: 9, in: setup)
      let calibration = try await film.calibrate(setup)
      let run = try await setup.run([
        "camera", "run", "--from-file", film.path, "--calibration", setup.path("court.yaml"),
        "--json", "--fast",
      ])
      #expect(run.code == 0, "\(run.errors)")
      let positions = run.lines.compactMap {
        try? JSONDecoder().decode(Printed.self, from: Data($0.utf8))
      }
      #expect(positions.count > 60, "\(run.lines.suffix(3))")
      let begin = try #require(positions.first).t
      let places = positions.compactMap { position -> (frame: Int, CourtPoint)? in
        let place = calibration.court(PicturePoint(position.u, position.v))
        return place.map { (Int(((position.t - begin) * Scene.rate).rounded()), $0) }
      }
      // The film's beginning on the program's clock isn't known: the best of all shifts.
      let errors = (0..<film.truths.count).map { shift -> Double in
        let misses = places.compactMap { frame, place -> Double? in
          guard film.truths.indices.contains(frame + shift),
            let truth = film.truths[frame + shift]
          else { return nil }
          return hypot(place.x - truth.x, place.y - truth.y)
        }.sorted()
        return misses.count < places.count * 3 / 4 ? .infinity : misses[misses.count / 2]
      }
      #expect(errors.min() ?? 9 < 0.35, "\(errors.min() ?? 9)")
      let used = try CalibrationFile(path: setup.path("court.yaml")).calibration
      #expect(run.lines.first == "{\"calibration\":\"\(used.digest)\",\"size\":[640,360]}")
      // The frames' times are the film's, and none is passed over.
      let fast = try await setup.run([
        "camera", "run", "--from-file", film.path, "--calibration", setup.path("court.yaml"),
        "--json", "--fast", "--repeat", "2", "--rate", "5",
      ])
      #expect(fast.code == 0, "\(fast.errors)")
      let times = fast.lines.compactMap {
        try? JSONDecoder().decode(Printed.self, from: Data($0.utf8)).t
      }
      let span = (times.last ?? 0) - (times.first ?? 0)
      // It looks for two seconds, which are ten frames here, and for the player at the end of both.
      #expect(span > Double(2 * film.truths.count) / 5 * 0.6, "\(span) s")
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 0.199 }, "\(times)")
      for wrong in [["--fast"], ["--repeat", "2"], ["--fast", "--from-file", film.path]] {
        #expect(try await setup.run(["camera", "run"] + wrong).code == 64)
      }
      #expect(run.errors.contains("no position: still learning the empty court"), "\(run.errors)")
      #expect(run.errors.contains("the player is seen"), "\(run.errors)")
    }
  }

  /// The whole way: frames, the camera's program, the bridge, a ball.
  @Test func whatTheCameraSeesBecomesBalls() async throws {
    try longOnRealStack()
    try await CommandLineSetup.with { setup in
      let film = try Film(.sun, seconds: 15, in: setup)
      _ = try await film.calibrate(setup)
      let mock = try await setup.mock()
      let config = try setup.write(
        "court: {calibration: court.yaml, apron: 3}\nsafety: {countdown: 0}\n",
        to: "config.yaml"
      )
      var serve = try setup.start(
        ["serve", "--json", "--bus", setup.address, "--config", config])
      _ = try await serve.next("link", state: "ready")
      let camera = try setup.start([
        "camera", "run", "--from-file", film.path, "--calibration", setup.path("court.yaml"),
        "--feed", setup.path("positions.sock"), "--repeat", "1000",
      ])
      let arm = try await setup.run(["arm"])
      #expect(arm.code == 0, "\(arm)")
      for _ in 1...2 {
        let ball = try await serve.next("dispatch")
        #expect(ball.zone != nil && ball.outcome == "delivered")
      }
      #expect(try await camera.terminate().code == 0)
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites().count >= 2)
    }
  }

  @Test(.mockOnly("it needs no machine"))
  func aRunningCameraAnswersOperators() async throws {
    try await CommandLineSetup.with { setup in
      let film = try Film(.dull, seconds: 5, in: setup)
      let camera = try setup.start(
        [
          "camera", "run", "--from-file", film.path, "--calibration", setup.path("court.yaml"),
          "--feed", setup.path("nothing.sock"), "--repeat", "1000",
        ]
      )
      try await setup.appears("camera.sock")
      let before = try await setup.run(["camera", "status"])
      #expect(before.code == 0 && before.output.contains("court.yaml"), "\(before)")
      let still = try await setup.run(["camera", "still", "--json", setup.path("still.jpg")])
      #expect(still.code == 0, "\(still)")
      let picture = try Data(contentsOf: URL(fileURLWithPath: setup.path("still.jpg")))
      #expect(picture.starts(with: [0xFF, 0xD8]) && picture.count > 5_000)
      let copy = setup.path("copy.jpg")
      let printed = try await setup.run(["camera", "still", "-"], script: "\"$@\" > \(copy)")
      #expect(printed.code == 0 && printed.errors.isEmpty, "\(printed)")
      let other = try Data(contentsOf: URL(fileURLWithPath: copy))
      #expect(other.starts(with: [0xFF, 0xD8]) && other.count > 5_000)
      // Through the service: it writes, and finds from then on.
      let points =
        ["camera", "calibrate", "--snap", "--still", setup.path("still.jpg")]
        + film.options.dropFirst(2)
      let first = try await setup.run(points)
      let sentence = String(try #require(first.lines.first).dropFirst("camera    ".count))
      let second = try await setup.run(points + ["--confirm", sentence, "--json"])
      #expect(second.code == 0 && second.output.contains("no bridge runs"), "\(second)")
      let after = try await setup.run(["camera", "status", "--json"])
      #expect(try ProgramEvent.all(after.output).map(\.event) == ["camera"])
      #expect(after.output.contains(sentence), "\(after)")
      let doctor = try await setup.run(
        ["camera", "doctor", "--json", "--calibration", setup.path("court.yaml")]
      )
      #expect(doctor.output.contains("\"calibration.valid\""), "\(doctor)")
      let wrong = try await setup.run(
        points.map { $0.replacingOccurrences(of: "net-left=", with: "net-right=") }
      )
      #expect(wrong.code == 65, "\(wrong)")
      #expect(try await camera.terminate().code == 0)
    }
  }

  /// Nothing is changed where it isn't known whether balls may fly, or which file is meant.
  @Test(.mockOnly("it needs no machine"))
  func inDoubtNoCalibrationIsWritten() async throws {
    try await CommandLineSetup.with { setup in
      let film = try Film(.dull, seconds: 1, in: setup)
      let file = setup.path("court.yaml")
      let camera = try setup.start([
        "camera", "run", "--from-file", film.path, "--calibration", file, "--feed",
        setup.path("nothing.sock"), "--repeat", "1000",
      ])
      try await setup.appears("camera.sock")
      let points = ["camera", "calibrate"] + film.options
      let first = try await setup.run(points)
      let sentence = String(try #require(first.lines.first).dropFirst("camera    ".count))
      let confirmed = points + ["--confirm", sentence]
      let other = try await setup.run(confirmed + ["--calibration", setup.path("other.yaml")])
      #expect(other.code == 64 && other.errors.contains(file), "\(other)")
      // A bridge that does not answer.
      var mute: ListeningSocket? = try ListeningSocket(path: setup.path("control.sock"))
      let unasked = try await setup.run(confirmed)
      #expect(unasked.code == 75 && unasked.errors.contains("nothing was changed"), "\(unasked)")
      withExtendedLifetime(mute) {}
      mute = nil
      #expect(!FileManager.default.fileExists(atPath: file))
      #expect(!FileManager.default.fileExists(atPath: setup.path("other.yaml")))
      // The service's file, whatever this program would write.
      let done = try await setup.run(confirmed)
      #expect(done.code == 0 && done.lines.last == "\(file): written; no bridge runs", "\(done)")
      #expect(FileManager.default.fileExists(atPath: file))
      #expect(try await camera.terminate().code == 0)
    }
  }

  @Test(.mockOnly("it needs no machine"))
  func aFilmThatCanNotBeUsedIsAnError() async throws {
    try await CommandLineSetup.with { setup in
      _ = try setup.write(SampleCalibration.file, to: "court.yaml")
      let options = ["--calibration", setup.path("court.yaml"), "--json"]
      for (name, content, reason) in [
        ("none", nil, "No such file"), ("empty", "", "begin like a JPEG"),
        ("text", "these are no frames", "begin like a JPEG"),
      ] as [(String, String?, String)] {
        if let content { _ = try setup.write(content, to: name) }
        let run = try await setup.run(
          ["camera", "run", "--from-file", setup.path(name)] + options
        )
        #expect(run.code == 65 && run.errors.contains(reason), "\(run)")
      }
      // Of another shape than the calibration's picture.
      let film = setup.path("square.yuyv")
      try Data(repeating: 128, count: 320 * 320 * 2 * 12).write(to: URL(fileURLWithPath: film))
      let square = try await setup.run(
        ["camera", "run", "--from-file", film, "--frames", "320x320"] + options
      )
      #expect(square.code == 0 && square.output == "", "\(square)")
      #expect(square.errors.contains("another shape than the calibration's"), "\(square)")
    }
  }

  /// As the units do it: one program runs the command, and the other one finds the player.
  @Test(.mockOnly("it needs no machine"))
  func aCommandsFramesAreHandedOver() async throws {
    try await CommandLineSetup.with { setup in
      let film = try Film(.dull, seconds: 1, in: setup)
      let config = try setup.write(
        """
        camera: {command: [sh, -c, "while cat '\(film.path)'; do sleep 0.05; done"]}
        court: {calibration: \(setup.path("court.yaml"))}
        feed: {socket: \(setup.path("nothing.sock"))}
        """,
        to: "camera.yaml"
      )
      let finder = try setup.start(["camera", "run", "--handed-over", "--config", config])
      try await setup.appears("camera.sock")
      let before = try await setup.run(["camera", "status"])
      let reason = "the command is read by ballmachine-camera-module.service, which does not run"
      #expect(before.lines.first == "sight        no camera: \(reason)", "\(before)")
      let doctor = try await setup.run(["camera", "doctor", "--config", config])
      let remedy = "systemctl enable --now ballmachine-camera-module.service"
      #expect(doctor.code == 69 && doctor.output.contains(remedy), "\(doctor)")
      let wrong = try await setup.run(["camera", "hand-over", "address", "--config", config])
      #expect(wrong.code == 78 && wrong.errors.contains("names no address"), "\(wrong)")
      let reader = try setup.start(["camera", "hand-over", "command", "--config", config])
      var status = before
      while !status.output.contains("\"state\":\"frames\"") {
        status = try await setup.run(["camera", "status", "--json"])
      }
      #expect(status.output.contains("\"size\":[640,360]"), "\(status)")
      #expect(try await reader.terminate().code == 0)
      #expect(try await finder.terminate().code == 0)
    }
  }

  /// Since it was calibrated, and while its program did not run.
  @Test(.mockOnly("it needs no machine"))
  func aCameraThatWasMovedSendsNothing() async throws {
    try await CommandLineSetup.with { setup in
      let film = try Film(.sun, seconds: 6, in: setup)
      let file = setup.path("court.yaml")
      _ = try await film.calibrate(setup)
      let good = try String(contentsOfFile: file, encoding: .utf8)
      // As if the lines had been seen well from another place: no line is where these marks are.
      let marks = good.split(separator: "\n").map { line -> String in
        guard line.contains(": ["), !line.contains("size") else { return String(line) }
        let parts = line.split { "[], ".contains($0) }.map(String.init)
        let (u, v) = (Double(parts[1]) ?? 0, Double(parts[2]) ?? 0)
        let moved = [min(u + 12, 640), max(v - 7, 0)].map { String(format: "%.3f", $0) }
        return "  \(parts[0]) [\(moved.joined(separator: ", "))]"
      }
      var text =
        marks.filter { !$0.contains("confirmed") && !$0.contains("lens") }
        .joined(separator: "\n") + "\n  lines: 0.8\n"
      _ = try setup.write(text, to: "court.yaml")
      let check = try await setup.run(["check-calibration", file])
      let sentence = try #require(check.lines.first).dropFirst("camera    ".count)
      text += "  confirmed: \"\(sentence)\"\n"
      _ = try setup.write(text, to: "court.yaml")
      let run = try await setup.run([
        "camera", "run", "--from-file", film.path, "--calibration", file, "--json", "--fast",
      ])
      #expect(run.code == 0 && run.output == "", "\(run)")
      #expect(run.errors.contains("the court's lines are not where"), "\(run)")
    }
  }
}
