import Calibrations
import CourtMapping
import Foundation
import Host
import TestSupport
import Testing

/// A calibration on a disk.
@Suite struct CalibrationFileTests {
  private static let points = SampleCalibration.points
  private static let sentence = SampleCalibration.sentence

  private func with<Result>(
    _ text: String,
    _ body: (String) throws -> Result
  ) throws -> Result {
    let folder = try TemporaryDirectory()
    return try body(try folder.write(text, to: "court.yaml"))
  }

  private func file(_ text: String) throws -> CalibrationFile {
    try with(text) { try CalibrationFile(path: $0) }
  }

  @Test func aMovedCameraCanNotBeNoticedWithoutLines() throws {
    let calibration = try file(SampleCalibration.file).calibration
    #expect(calibration.warnings == [])
    for (lines, warnings) in [(nil, [.fewLines]), (0.4, [.fewLines]), (0.7, [])]
      as [(Double?, [CalibrationWarning])]
    {
      #expect(CalibrationFile(calibration, lines: lines).warnings == warnings)
    }
  }

  @Test func aFileIsReadAndWhatIsWrittenIsReadBack() throws {
    let text = """
      picture:
        size: [1280, 720]
      \(Self.points)made:
        at: "2026-11-23T10:25:51Z"
        by: "a person"
        confirmed: "\(Self.sentence)"
      """
    let read = try file(text)
    #expect(read.calibration.sentence == Self.sentence)
    #expect(read.isConfirmed)
    #expect(read.time?.iso8601 == "2026-11-23T10:25:51Z")
    #expect(read.source == "a person")
    let settled = try CalibrationFile.calibration(
      marks: read.calibration.marks,
      size: read.calibration.size
    )
    let written = CalibrationFile(
      settled,
      time: read.time,
      source: read.source,
      confirmed: settled.sentence
    )
    let again = try file(written.yaml)
    #expect(again == written)
    #expect(again.isConfirmed)
  }

  @Test func withoutAPersonsWordItIsNotConfirmed() throws {
    let text = "picture:\n  size: [1280, 720]\n" + Self.points
    #expect(try file(text).isConfirmed == false)
    let other = text + "made:\n  confirmed: \"2.0 m high, beside the court\"\n"
    let read = try file(other)
    #expect(!read.isConfirmed)
    #expect(read.confirmation.contains("not as it says, \"2.0 m high, beside the court\""))
    #expect(read.confirmation.contains("confirmed: \"\(Self.sentence)\""))
  }

  @Test func everyMistakeIsReportedAtItsPlace() throws {
    let wrong: [(String, String)] = [
      ("picture:\n  size: [1280]\n" + Self.points, ":2:9: picture.size: a list of 1 is not"),
      ("picture:\n  size: [0, 720]\n" + Self.points, ":2:10: picture.size: `0` is not"),
      (Self.points, "picture.size is missing"),
      ("picture:\n  size: [1280, 720]\n", "0 points are too few"),
      (
        "picture:\n  size: [1280, 720]\npoints:\n  nett-left: [1, 2]\n",
        ":4:3: there is no key `nett-left` in points"
      ),
      (
        "picture:\n  size: [1280, 720]\n"
          + Self.points.replacingOccurrences(of: "[827.3, 302.4]", with: "[827.3, 1318.2]"),
        ":5:14: net-right is not in the picture"
      ),
      (
        "picture:\n  size: [1280, 720]\n"
          + Self.points.replacingOccurrences(of: "[827.3, 302.4]", with: "[727.3, 302.4]"),
        ":5:14: the points contradict each other"
      ),
      (
        "picture:\n  size: [1280, 720]\n"
          + Self.points.replacingOccurrences(of: "[827.3, 302.4]", with: "[.nan, 302.4]"),
        "`.nan` is not a number of pixels"
      ),
      ("picture:\n  size: [1280, 720]\n  lens: 2\n" + Self.points, ":3:9: picture.lens"),
      ("picture: [", ":1:"),
      (
        "picture:\n  size: [1280, 720]\n" + Self.points + "made:\n  at: yesterday\n",
        "`yesterday` is not a time"
      ),
    ]
    for (text, expected) in wrong {
      try with(text) { path in
        let error = #expect(throws: CalibrationFileError.self) {
          try CalibrationFile(path: path)
        }
        let description = error?.description ?? ""
        #expect(description.hasPrefix(path))
        #expect(description.contains(expected), "\(description)")
      }
    }
  }

  @Test func aFileThatIsMissingOrHugeIsAnError() throws {
    let missing = #expect(throws: CalibrationFileError.self) {
      try CalibrationFile(path: "/nowhere/court.yaml")
    }
    #expect(missing?.isMissing == true)
    #expect(throws: CalibrationFileError.self) { try CalibrationFile(path: "/dev/zero") }
    #expect(throws: CalibrationFileError.self) { try CalibrationFile(path: "/") }
  }
}
