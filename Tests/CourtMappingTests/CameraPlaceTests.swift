import CourtMapping
import Testing

/// The sentence that a person compares with the camera.
@Suite struct CameraPlaceTests {
  static let sentences: [(KnownCamera, String)] = [
    (behindBaseline, "3.0 m high, 8.0 m behind the player's baseline, looking at the net"),
    (
      KnownCamera(at: (4.115, -24, 6), lookingAt: (4.115, 6), fieldOfView: 45),
      "6.0 m high, 12 m behind the machine's baseline, looking at the net"
    ),
    (
      KnownCamera(at: (4.115, -3, 4), lookingAt: (4.115, 7), fieldOfView: 90),
      """
      4.0 m high, above the court, 3.0 m from the net on the machine's half, looking at the net
      """
    ),
    (
      KnownCamera(at: (-5.5, 7, 3), lookingAt: (4, 7), fieldOfView: 95),
      """
      3.0 m high, 5.5 m left of the left sideline, 7.0 m from the net on the player's half, looking \
      to the right, as the player sees it
      """
    ),
    (
      KnownCamera(at: (14, 18, 4), lookingAt: (4, 6), fieldOfView: 70),
      """
      4.0 m high, 6.1 m behind the player's baseline and 5.8 m right of the right sideline, looking \
      at the net and to the left
      """
    ),
  ]

  @Test(arguments: sentences)
  func aPersonReadsWhereTheCameraWouldStand(_ camera: KnownCamera, _ sentence: String) throws {
    let calibration = try Calibration(marks: camera.marks(), size: camera.size)
    #expect(try #require(calibration.camera).sentence == sentence)
  }

  /// The same picture with all names exchanged for those of the other half fits as well: only the
  /// sentence tells.
  @Test func aCourtTurnedByHalfFitsAndReadsDifferently() throws {
    let camera = KnownCamera(at: (4.5, 22, 5), lookingAt: (4.115, 0), fieldOfView: 60)
    let turned: [(CourtMark, CourtMark)] = [
      (.baselineLeft, .machineBaselineRight), (.baselineRight, .machineBaselineLeft),
      (.singlesLeftService, .machineSinglesRightService),
      (.singlesRightService, .machineSinglesLeftService), (.netLeft, .netRight),
      (.netRight, .netLeft),
    ]
    var marks: [CourtMark: PicturePoint] = [:]
    for (right, wrong) in turned { marks[wrong] = camera.picture(right.point) }
    let calibration = try Calibration(marks: marks, size: camera.size)
    let sentence = try #require(calibration.camera).sentence
    #expect(sentence == "5.0 m high, 10 m behind the machine's baseline, looking at the net")
  }

  /// Above the net, neither place nor direction tells.
  @Test(arguments: [
    (0, "below"), (90, "right"), (180, "above"), (270, "left"),
  ])
  func fromAboveTheNetTheBaselinesSideIsSaid(_ roll: Double, _ side: String) throws {
    let camera = KnownCamera(
      at: (4.115, -0.5, 14),
      lookingAt: (4.115, -1),
      fieldOfView: 120,
      roll: roll
    )
    let sentence = try #require(
      try Calibration(marks: camera.marks(eightMarks), size: camera.size).camera
    ).sentence
    #expect(sentence.hasPrefix("14.0 m high, above the court, level with the net, looking down; "))
    #expect(sentence.hasSuffix("in the picture the player's baseline is \(side)"), "\(sentence)")
  }

  @Test func whatIsUnlikelyIsSaid() throws {
    func warnings(_ camera: KnownCamera, _ marks: [CourtMark]) throws -> [CalibrationWarning] {
      try Calibration(marks: camera.marks(marks), size: camera.size).warnings
    }
    #expect(try warnings(behindBaseline, fourMarks) == [.fewPoints])
    #expect(try warnings(behindBaseline, eightMarks) == [])
    let low = KnownCamera(at: (4.115, 15, 0.4), lookingAt: (4.115, 2), fieldOfView: 70)
    #expect(try warnings(low, eightMarks) == [.low])
    let tilted = KnownCamera(at: (4.115, 19.9, 3), lookingAt: (4, 6), fieldOfView: 80, roll: 45)
    #expect(try warnings(tilted, eightMarks) == [.tilted])
    let upsideDown = KnownCamera(
      at: (4.115, 19.9, 3),
      lookingAt: (4, 6),
      fieldOfView: 80,
      roll: 180
    )
    #expect(try warnings(upsideDown, eightMarks) == [.tilted])
  }

  /// Four corners that are named a quarter turn off fit too.
  @Test func aQuarterTurnReadsDifferentlyOrIsUnlikely() throws {
    func turned(_ camera: KnownCamera) throws -> Calibration {
      let seen = fourMarks.compactMap { camera.picture($0.point) }
      let order: [CourtMark] = [.netRight, .baselineRight, .netLeft, .baselineLeft]
      return try Calibration(
        marks: Dictionary(uniqueKeysWithValues: zip(order, seen)),
        size: camera.size
      )
    }
    let straight = try turned(behindBaseline)
    #expect(straight.warnings == [.fewPoints])
    #expect(
      try #require(straight.camera).sentence == """
        4.0 m high, 4.0 m left of the left sideline, 5.9 m from the net on the player's half, \
        looking to the right, as the player sees it
        """
    )
    let corner = KnownCamera(at: (11.5, 16.5, 3), lookingAt: (4, 5.5), fieldOfView: 80)
    #expect(try turned(corner).warnings == [.fewPoints, .unlikelyCamera])
  }
}
