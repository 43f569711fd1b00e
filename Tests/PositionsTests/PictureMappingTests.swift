import CourtLogic
import CourtMapping
import Glibc
import Positions
import TestSupport
import Testing

/// Picture points in a stream of positions.
@Suite struct PictureMappingTests {
  /// A camera 3 m high, 8 m behind the baseline.
  static let calibration = try! Calibration(
    marks: [
      .netLeft: PicturePoint(452.7, 302.4), .netRight: PicturePoint(827.3, 302.4),
      .singlesLeftService: PicturePoint(368, 365.6),
      .singlesRightService: PicturePoint(912, 365.6),
      .baselineLeft: PicturePoint(195.8, 494), .baselineRight: PicturePoint(1084.2, 494),
    ],
    size: PictureSize(width: 1280, height: 720)!
  )

  private func decode(
    _ text: String,
    _ calibration: Calibration? = calibration
  ) -> [PositionLine] {
    var decoder = PositionDecoder(.ofArrival)
    decoder.use(calibration)
    var lines: [PositionLine] = []
    Array(text.utf8).withUnsafeBytes { decoder.decode($0) { lines.append($0) } }
    return lines
  }

  private func reasons(_ lines: [PositionLine]) -> [PositionLineError] {
    lines.compactMap { if case .bad(let bad) = $0 { bad.reason } else { nil } }
  }

  private func positions(_ lines: [PositionLine]) -> [PlayerPosition] {
    lines.compactMap { if case .report(let report, _) = $0 { report.position } else { nil } }
  }

  /// Its picture may be of another size.
  @Test func theNextStreamHasNoSizeYet() {
    var decoder = PositionDecoder(.ofArrival)
    decoder.use(Self.calibration)
    var lines: [PositionLine] = []
    for (text, count) in [
      ("{\"size\": [1280, 720]}\n{\"u\": 640, \"v\": 493}\n", 1), ("{\"u\": 320, \"v\": 247}\n", 2),
    ] {
      Array(text.utf8).withUnsafeBytes { decoder.decode($0) { lines.append($0) } }
      decoder.finish(mayBeCut: true) { lines.append($0) }
      #expect(lines.count == count)
    }
    #expect(positions(lines).count == 1)
    #expect(reasons(lines) == [.noSize])
  }

  @Test func aPointBecomesMetres() throws {
    let lines = decode(
      """
      {"size": [1280, 720]}
      {"u": 195.8, "v": 494, "id": "a", "confidence": 0.8, "t": 1.5}
      {"x": 4, "y": 9}

      """
    )
    #expect(reasons(lines) == [])
    let found = positions(lines)
    try #require(found.count == 2)
    #expect(hypot(found[0].x, found[0].y - Court.length) < 0.05)
    #expect(found[0].confidence == 0.8)
    #expect(found[1].x == 4)
    guard case .report(let report, line: 2) = lines[0] else {
      Issue.record("\(lines)")
      return
    }
    #expect(report.id == "a")
    #expect(report.time == .seconds(1.5))
  }

  @Test func pointsOfASmallerPictureAreScaled() throws {
    let small = positions(decode("{\"size\": [640, 360]}\n{\"u\": 300, \"v\": 250}\n"))
    let large = positions(decode("{\"size\": [1280, 720]}\n{\"u\": 600, \"v\": 500}\n"))
    #expect(small.count == 1)
    #expect(small == large)
    // A decoder has rounded the height to whole blocks.
    #expect(positions(decode("{\"size\": [320, 181]}\n{\"u\": 150, \"v\": 125}\n")).count == 1)
  }

  @Test func aPictureOfAnotherShapeIsRefused() throws {
    let size = try #require(PictureSize(width: 640, height: 480))
    let lines = decode(
      "{\"size\": [640, 480]}\n{\"u\": 300, \"v\": 250}\n{\"x\": 1, \"y\": 2}\n"
    )
    let expected = PositionLineError.otherShape(size, calibrated: Self.calibration.size)
    #expect(reasons(lines) == [expected, expected])
    #expect(positions(lines).count == 1)
  }

  @Test func withoutASizeOrACalibrationPointsAreRefused() {
    #expect(reasons(decode("{\"u\": 300, \"v\": 250}\n")) == [.noSize])
    let lines = decode("{\"size\": [640, 360]}\n{\"u\": 300, \"v\": 250}\n", nil)
    #expect(reasons(lines) == [.noCalibration, .noCalibration])
  }

  /// The camera's program may have loaded a file that the bridge has not, or that it will load later.
  @Test func pointsOfAnotherCalibrationAreRefused() throws {
    let point = "{\"u\": 600, \"v\": 500}\n"
    let marks = Self.calibration.marks.merging([.netLeft: PicturePoint(452.8, 302.4)]) { $1 }
    let other = try Calibration(marks: marks, size: Self.calibration.size)
    let size = "{\"size\": [1280, 720], \"calibration\": \"\(Self.calibration.digest)\"}\n"
    #expect(positions(decode(size + point)).count == 1)
    let refused = decode(size + point, other)
    #expect(reasons(refused) == [.otherCalibration, .otherCalibration])
    // A feeder that says nothing of it now, or something else.
    #expect(positions(decode(size + "{\"size\": [1280, 720]}\n" + point, other)).count == 1)
    let strange = reasons(decode("{\"size\": [1280, 720], \"calibration\": []}\n" + point))
    #expect(
      strange == [.wrongType(key: "calibration", expected: "a string or a number"), .noSize]
    )
  }

  @Test func aDigestIsTheSameForEveryProgram() throws {
    #expect(Self.calibration.digest == "c8f4dbe48be6edcf")
    let again = try Calibration(
      marks: Self.calibration.marks,
      size: Self.calibration.size,
      lens: 0
    )
    #expect(again.digest == Self.calibration.digest)
    let bent = try Calibration(
      marks: Self.calibration.marks,
      size: Self.calibration.size,
      lens: 0.001
    )
    #expect(bent.digest != Self.calibration.digest)
  }

  @Test func aCalibrationThatComesLaterCounts() {
    var decoder = PositionDecoder(.ofArrival)
    var lines: [PositionLine] = []
    func decode(_ text: String) {
      Array(text.utf8).withUnsafeBytes { decoder.decode($0) { lines.append($0) } }
    }
    decode("{\"size\": [1280, 720]}\n")
    decoder.use(Self.calibration)
    decode("{\"u\": 600, \"v\": 500}\n")
    #expect(reasons(lines) == [.noCalibration])
    #expect(positions(lines).count == 1)
  }

  @Test(arguments: [
    ("{\"u\": 600}", PositionLineError.missing(key: "v")),
    ("{\"v\": 600}", .missing(key: "u")),
    ("{\"u\": \"1\", \"v\": 2}", .wrongType(key: "u", expected: "a number")),
    ("{\"u\": null, \"v\": 2}", .wrongType(key: "u", expected: "a number")),
    ("{\"u\": 600, \"v\": 500, \"x\": 1}", .metresAndPixels),
    ("{\"u\": 1281, \"v\": 500}", .notInPicture(u: 1281, v: 500)),
    ("{\"u\": -1, \"v\": 500}", .notInPicture(u: -1, v: 500)),
    ("{\"u\": 1e300, \"v\": 500}", .notInPicture(u: 1e300, v: 500)),
    ("{\"u\": 640, \"v\": 10}", .notOnTheGround(u: 640, v: 10)),
    ("{\"u\": 640, \"v\": 500, \"confidence\": 0.1}", .position(.lowConfidence(0.1))),
    ("{\"size\": [1280]}", .badSize),
    ("{\"size\": [1280, 720, 3]}", .badSize),
    ("{\"size\": [1280.5, 720]}", .badSize),
    ("{\"size\": [0, 0]}", .badSize),
    ("{\"size\": [-1280, 720]}", .badSize),
    ("{\"size\": [1e300, 720]}", .badSize),
    ("{\"size\": \"1280x720\"}", .badSize),
  ])
  func aBadPointIsRefused(_ line: String, _ reason: PositionLineError) {
    #expect(reasons(decode("{\"size\": [1280, 720]}\n\(line)\n")) == [reason])
  }
}
