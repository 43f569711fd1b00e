import CourtMapping
import Foundation
import Scenes
import TestSupport
import Testing

/// `ballmachine camera`, with pictures as people and cameras have them.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineCameraPictureTests {
  private static let points = [
    "net-left=226.35,151.2", "net-right=413.65,151.2", "singles-left-service=184,182.8",
    "centre-service=320,182.8", "singles-right-service=456,182.8", "baseline-left=97.9,247",
    "baseline-centre=320,247", "baseline-right=542.1,247",
  ].flatMap { ["--point", $0] }

  private static func picture() throws -> [UInt8] {
    let bytes = [UInt8](repeating: 90, count: 640 * 360 * 3)
    return try #require(JPEG.encode(bytes, width: 640, height: 360))
  }

  private func write(_ bytes: [UInt8], to name: String, _ setup: CommandLineSetup) throws -> String
  {
    let path = setup.path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// - Parameter ffmpeg: what the program does that is found by that name; nil: there is none.
  private func calibrate(
    _ still: String,
    _ setup: CommandLineSetup,
    ffmpeg: String? = nil
  ) async throws -> BuiltProgram.Result {
    var places = "PATH=\(setup.path("none"))"
    if let ffmpeg {
      let text = try setup.write("#!/bin/sh\n\(ffmpeg)\n", to: "ffmpeg.text")
      // Of another process: what this one has open for writing can't be run.
      let path = setup.path("ffmpeg")
      places = "cp \(text) \(path); chmod 755 \(path); PATH=\(setup.directory):/usr/bin:/bin"
    }
    return try await setup.run(
      ["camera", "calibrate", "--write", setup.path("court.yaml"), "--still", still] + Self.points,
      script: "\(places); export PATH; exec \"$@\""
    )
  }

  @Test(.mockOnly("it needs no machine"))
  func aPhotoIsReadOrRefusedWithTheWay() async throws {
    try await CommandLineSetup.with { setup in
      let jpeg = try Self.picture()
      let plain = try await calibrate(write(jpeg, to: "court.jpg", setup), setup)
      let sentence = SampleCalibration.sentence
      #expect(plain.lines.first == "camera    \(sentence)", "\(plain)")
      #expect(!plain.errors.contains("turned"), "\(plain)")

      // Turned by half, as its Exif says: the points are in the turned picture.
      let exif =
        Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 3, 0, 0]
      let marked =
        jpeg.prefix(2) + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + jpeg.dropFirst(2)
      let turned = try await calibrate(write(Array(marked), to: "turned.jpg", setup), setup)
      #expect(turned.lines.first == "camera    \(sentence)", "\(turned)")
      let told =
        "turned.jpg: turned by half, as its camera noted; points are in the turned picture, 640 × 360"
      #expect(turned.errors.contains(told), "\(turned)")

      let png = try write([0x89] + Array("PNG\r\n".utf8), to: "court.png", setup)
      let way = "make a JPEG of it: ffmpeg -i \(png) court.jpg"
      let without = try await calibrate(png, setup)
      #expect(without.code == 65, "\(without)")
      #expect(without.errors.contains("court.png: reading PNG needs ffmpeg: install it, or \(way)"))
      let read = try await calibrate(
        png,
        setup,
        ffmpeg:
          "printf 'P5\\n640 360\\n255\\n'; head -c 230400 /dev/zero; echo \"$@\" > \(setup.path("asked"))"
      )
      #expect(read.lines.first == "camera    \(sentence)", "\(read)")
      let asked = try String(contentsOfFile: setup.path("asked"), encoding: .utf8)
      #expect(asked.contains("-i file:\(png) "), "\(asked)")
      let bad = try await calibrate(png, setup, ffmpeg: "echo nonsense >&2; exit 1")
      #expect(bad.errors.contains("ffmpeg can't read this PNG, nonsense; \(way)"), "\(bad)")

      let text = try await calibrate(write(Array("words".utf8), to: "court.txt", setup), setup)
      #expect(text.code == 65 && text.errors.contains("court.txt: it is no picture"), "\(text)")
    }
  }

  /// A camera that begins each frame twice and ends none.
  @Test(.mockOnly("it needs no machine"))
  func forgivenFramesAreCountedAndTold() async throws {
    try await CommandLineSetup.with { setup in
      let frame = [0xFF, 0xD8] + (try Self.picture()).dropLast(2)
      let film = try write(Array(Array(repeating: frame, count: 40).joined()), to: "film", setup)
      _ = try setup.write(SampleCalibration.file, to: "court.yaml")
      let camera = try setup.start([
        "camera", "run", "--from-file", film, "--calibration", setup.path("court.yaml"),
        "--feed", setup.path("nothing.sock"), "--repeat", "1000",
      ])
      try await setup.appears("camera.sock")
      var status = try await setup.run(["camera", "status"])
      while !status.output.contains("with faults that cost no pixel") {
        try await Task.sleep(for: .milliseconds(50))
        status = try await setup.run(["camera", "status"])
      }
      let doctor = try await setup.run([
        "camera", "doctor", "--calibration", setup.path("court.yaml"),
      ])
      #expect(
        doctor.output.contains("frames had stray bytes, two beginnings or no end"),
        "\(doctor)"
      )
      #expect(try await camera.terminate().code == 0)
    }
  }

  /// Of the calibration's shape, and of another one; and in another format.
  @Test(.mockOnly("it needs no machine"), arguments: ["NV12:640x360", "NV12:640x480"])
  func framesOfAnotherSizeAreScaledIfTheShapeIsTheSame(frames: String) async throws {
    try await CommandLineSetup.with { setup in
      let isOther = frames.hasSuffix("480")
      let count = 640 * (isOther ? 480 : 360)
      let frame =
        Array(repeating: 120 as UInt8, count: count) + Array(repeating: 128, count: count / 2)
      let film = try write(Array(Array(repeating: frame, count: 12).joined()), to: "film", setup)
      _ = try setup.write(SampleCalibration.file, to: "court.yaml")
      let run = try await setup.run([
        "camera", "run", "--from-file", film, "--frames", frames, "--calibration",
        setup.path("court.yaml"), "--json", "--fast",
      ])
      let refusal = """
        the picture, 640 × 480 (4:3), has another shape than the calibration's, 1280 × 720 (16:9): give \
        frames of that shape, or calibrate again with this picture
        """
      #expect(run.code == 0 && run.errors.contains(refusal) == isOther, "\(run)")
    }
  }
}
