import Calibrations
import Camera
import Clocks
import ControlProtocol
import CourtMapping
import Foundation
import Host
import JSON
import Scenes
import TestSupport
import Testing

private let filmSize = PictureSize(width: 640, height: 360).unsafelyUnwrapped

/// An operator's points are compared with what the camera sees.
@Suite(.mustEnd) struct CameraCheckTests {
  private struct Points: Encodable, Sendable {
    var size: [Int]
    var points: [String: [Double]]
    var lens: Double?
    var snap: Bool?
  }
  private struct Checked: Decodable, Sendable {
    var camera: String
    var size: [Int]
    var lens: Double
    var points: [String: Double]
    var marks: [String: [Double]]
    var lines: Double?
    var accuracy: [String: Double]
    var confirmed: Bool
  }

  private static let camera = scene().camera

  private static func scene() -> Scene { Scene(.dull, seed: 2, size: filmSize) }

  /// - Parameter moved: by how many pixels the picture is moved to the left.
  private func frame(moved: Int = 0, dark: Bool = false) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: filmSize.width * filmSize.height * 3)
    if !dark { _ = Self.scene().next(into: &bytes) }
    if moved > 0 { bytes = Array(bytes.dropFirst(moved * 3)) + bytes.prefix(moved * 3) }
    return Array(
      try #require(JPEG.encode(bytes, width: filmSize.width, height: filmSize.height))
    )
  }

  /// What a person points to in a picture of another size.
  private func marks(error: Double) -> [CourtMark: PicturePoint] {
    Self.camera.marks(in: fullSize, error: error, seed: 3)
  }

  private func request(
    _ marks: [CourtMark: PicturePoint],
    size: PictureSize = fullSize,
    snap: Bool? = nil
  ) -> Points {
    let points = marks.map { ($0.rawValue, [$1.u, $1.v]) }
    return Points(
      size: [size.width, size.height],
      points: Dictionary(uniqueKeysWithValues: points),
      snap: snap
    )
  }

  /// How far the points are from the true ones, in pixels.
  private func misses(_ marks: [CourtMark: PicturePoint]) -> Double {
    let truth = self.marks(error: 0)
    return marks.map { mark, point in
      truth[mark].map { hypot(point.u - $0.u, point.v - $0.v) } ?? .infinity
    }.reduce(0, +) / Double(marks.count)
  }

  @Test func pointsOfALargerPictureAreSnappedToo() throws {
    let picture = try GreyPicture(jpeg: try frame())
    let rough = try Calibration(marks: marks(error: 4), size: fullSize)
    let kept = try CalibrationDraft(rough, in: picture, snaps: false)
    let snapped = try CalibrationDraft(rough, in: picture, snaps: true)
    #expect(kept.calibration == rough)
    #expect(snapped.calibration.size == fullSize)
    #expect(snapped.calibration.marks.keys == rough.marks.keys)
    let (before, after) = (misses(rough.marks), misses(snapped.calibration.marks))
    #expect(after < 0.7 * before, "\(before) \(after)")
    let (few, most) = (try #require(kept.lines), try #require(snapped.lines))
    #expect(most > 0.5 && most > few, "\(few) \(most)")
  }

  @Test func whatThePictureCanNotShowIsRefused() throws {
    let rough = try Calibration(marks: marks(error: 1), size: fullSize)
    let square = GreyPicture(width: 640, height: 480)
    #expect { try CalibrationDraft(rough, in: square, snaps: false) } throws: {
      "\($0)".contains("another shape")
    }
    let empty = GreyPicture(width: 640, height: 360)
    #expect { try CalibrationDraft(rough, in: empty, snaps: true) } throws: {
      "\($0)".contains("too few painted lines")
    }
    #expect(try CalibrationDraft(rough, in: empty, snaps: false).lines == 0)
    #expect(try CalibrationDraft(rough, in: nil, snaps: false).lines == nil)
  }

  /// Runs the camera with its socket on a still film.
  ///
  /// - Parameters:
  ///   - frame: of the film; nil: of the court. The file `film.mjpeg` may be replaced.
  ///   - fate: what becomes of the frames.
  ///   - isPaced: whether frames come in their own time; otherwise none is passed over, however busy
  ///     the machine is.
  private func withCamera(
    _ frame: [UInt8]? = nil,
    fate: Locked<SpoiltFilm.Fate> = Locked(.good),
    isPaced: Bool = true,
    _ body: (TemporaryDirectory, Sights) async throws -> Void
  ) async throws {
    let folder = try TemporaryDirectory()
    let film = folder("film.mjpeg")
    try Data(try frame ?? self.frame()).write(to: URL(fileURLWithPath: film))
    var settings = CameraSettings()
    settings.calibration = folder("court.yaml")
    let clock = SystemClock()
    let (reports, reporting) = AsyncStream.makeStream(of: SightRecord.self)
    let camera = CourtCamera(
      settings,
      clock: clock,
      open: { () throws(CameraProblem) in
        try SpoiltFilm(film, fate, isPaced: isPaced, clock: clock)
      },
      report: { reporting.yield($0) }
    )
    let socket = try CameraSocket(path: folder("camera.sock"), camera: camera)
    try await beside(camera, socket, hasEnded: { reporting.finish() }) {
      let client = CameraClient(path: folder("camera.sock"))
      while try await client.status().frames.taken == 0 {
        try await Task.sleep(for: .milliseconds(20))
      }
      try await body(folder, Sights(reports: reports))
    }
  }

  private func answer(
    to points: Points,
    in folder: TemporaryDirectory
  ) async throws -> Result<JSONValue, ControlClientError> {
    try await LineClient.talk(to: "the camera", path: folder("camera.sock")) {
      (client) throws(LineClientError) in
      try client.answer("check", points)
    }
  }

  @Test func aCheckSaysWhatACalibrationNeeds() async throws {
    try await withCamera { folder, _ in
      let answer = try await answer(to: request(marks(error: 4), snap: true), in: folder).get()
      let checked = try answer.decoded(as: Checked.self)
      #expect(checked.size == [1280, 720] && !checked.confirmed)
      #expect(checked.accuracy.count == 16)
      #expect(Set(checked.points.keys) == Set(checked.marks.keys))
      #expect(try #require(checked.lines) > 0.5)
      var places: [CourtMark: PicturePoint] = [:]
      for (name, place) in checked.marks {
        places[try #require(CourtMark(rawValue: name))] = PicturePoint(place[0], place[1])
      }
      #expect(misses(places) < 0.7 * misses(marks(error: 4)))
      // Nothing is changed, and what is sent on is the same calibration.
      #expect(!FileManager.default.fileExists(atPath: folder("court.yaml")))
      let again = try Calibration(marks: places, size: fullSize, lens: checked.lens)
      #expect(again.sentence == checked.camera)
    }
  }

  @Test func aStillFollowsTheLineOfItsAnswer() async throws {
    try await withCamera { folder, _ in
      let (picture, status) = try await LineClient.talk(
        to: "the camera",
        path: folder("camera.sock")
      ) { (client) throws(LineClientError) in
        let still: StillRecord = try client.ask("still")
        return (try client.bytes(still.bytes), try client.ask("status", for: CameraStatus.self))
      }
      let size = try GreyPicture(jpeg: picture)
      #expect(size.width == filmSize.width && size.height == filmSize.height)
      #expect(status.frames.taken > 0)
    }
  }

  @Test func aCalibrationWhoseFileCouldNotBeReadBackReplacesNone() async throws {
    try await withCamera { folder, _ in
      let client = CameraClient(path: folder("camera.sock"))
      let calibration = try CalibrationFile.calibration(marks: marks(error: 0), size: fullSize)
      let file = CalibrationFile(
        calibration,
        source: "a test",
        lines: 0.5,
        confirmed: calibration.sentence
      )
      let request = CalibrationRequest(file)
      _ = try await client.calibrate(request)
      let written = try CalibrationFile(path: folder("court.yaml"))
      #expect(written.lines == 0.5 && written.isConfirmed)
      for lines in [-0.1, 1.1, 5, 1e300] {
        var wrong = request
        wrong.lines = lines
        await #expect(throws: (any Error).self) { try await client.calibrate(wrong) }
      }
      for source in ["a\nb: c", "", String(repeating: "a", count: 300)] {
        var wrong = request
        wrong.source = source
        await #expect(throws: (any Error).self, "\(source)") { try await client.calibrate(wrong) }
      }
      #expect(try CalibrationFile(path: folder("court.yaml")) == written)
    }
  }

  /// Uses a calibration with these marks, as the file of the camera in the folder.
  private func calibrate(
    _ marks: [CourtMark: PicturePoint],
    lines: Double?,
    in folder: TemporaryDirectory
  ) async throws {
    let calibration = try CalibrationFile.calibration(marks: marks, size: fullSize)
    let file = CalibrationFile(
      calibration,
      source: "a test",
      lines: lines,
      confirmed: calibration.sentence
    )
    let client = CameraClient(path: folder("camera.sock"))
    _ = try await client.calibrate(CalibrationRequest(file))
  }

  /// What the camera reports, each once.
  private struct Sights {
    let reports: AsyncStream<SightRecord>

    /// - Returns: the codes of the sights before the news, and its sight.
    func wait(
      until isNews: (SightRecord) -> Bool
    ) async throws -> (before: [String?], SightRecord) {
      var before: [String?] = []
      for await sight in reports {
        if isNews(sight) { return (before, sight) }
        before.append(sight.code)
      }
      throw CancellationError()
    }

    /// Until the camera has learnt the court, or says why not.
    func afterBeginning() async throws -> (before: [String?], SightRecord) {
      try await wait { sight in sight.code.map { !beginnings.contains($0) } ?? false }
    }
  }

  private static let beginnings = ["no-calibration", "learning", "stream-failed"]

  /// The camera gives smaller pictures than the one that was calibrated with.
  ///
  /// - Parameters:
  ///   - shift: by which the camera was tilted, in pixels.
  ///   - metres: by which it was moved along the court.
  @Test(arguments: [(0.0, 0.0), (30, 0), (0, 2)])
  func aMovedCameraIsNoticedInPicturesOfAnotherSizeToo(shift: Double, metres: Double) async throws {
    try await withCamera(isPaced: false) { folder, sights in
      let moved = Self.camera.marks(in: fullSize, along: metres)
        .mapValues { PicturePoint($0.u, $0.v - shift) }
      try await calibrate(moved, lines: 0.9, in: folder)
      let (before, sight) = try await sights.afterBeginning()
      let isMoved = shift > 0 || metres > 0
      #expect((sight.code == "lines-moved") == isMoved, "\(sight)")
      // The first frames of many cameras are too dark to see lines in.
      #expect(before.last == "learning", "\(before)")
    }
  }

  @Test func aDarkCourtIsNoMovedCamera() async throws {
    try await withCamera(frame(dark: true), isPaced: false) { folder, sights in
      try await calibrate(marks(error: 0), lines: 0.9, in: folder)
      let (before, sight) = try await sights.afterBeginning()
      #expect(sight.code == "too-dark" && !before.contains("lines-moved"), "\(before) \(sight)")
    }
  }

  /// Without the court's lines to compare with, what the marks looked like is known all the same.
  @Test func aCameraThatWasMovedWhileItFailedIsNoticed() async throws {
    let fate = Locked(SpoiltFilm.Fate.good)
    try await withCamera(fate: fate) { folder, sights in
      try await calibrate(marks(error: 0), lines: nil, in: folder)
      _ = try await sights.wait { $0.code == "no-player" }
      // Whole at once: a film that is empty for a moment has ended.
      try Data(try frame(moved: 5)).write(
        to: URL(fileURLWithPath: folder("film.mjpeg")),
        options: .atomic
      )
      fate.withLock { $0 = .failing }
      _ = try await sights.wait { $0.state == .noCamera }
      fate.withLock { $0 = .good }
      let (_, moved) = try await sights.afterBeginning()
      #expect(moved.code == "camera-moved", "\(moved)")
      // A person who calibrates again says where it is now.
      try await calibrate(marks(error: 0), lines: nil, in: folder)
      let (_, again) = try await sights.wait { $0.code == "no-player" }
      #expect(again.state == .nothing)
    }
  }

  @Test(arguments: [SpoiltFilm.Fate.damaged, .old])
  func aCameraWhoseFramesAreAllSpoiltIsNotSilent(_ spoilt: SpoiltFilm.Fate) async throws {
    let fate = Locked(SpoiltFilm.Fate.good)
    try await withCamera(fate: fate) { folder, sights in
      fate.withLock { $0 = spoilt }
      let (_, sight) = try await sights.wait { $0.code == "stream-failed" }
      let reason = try #require(sight.reason)
      #expect(reason.contains(spoilt == .old ? ": 0 damaged" : " 0 too old"), "\(reason)")
      // The figures outlive the source.
      let frames = try await CameraClient(path: folder("camera.sock")).status().frames
      #expect(frames.taken > 0 && frames.damaged + frames.old > 0, "\(frames)")
    }
  }

  @Test func aCheckSaysWhyNot() async throws {
    try await withCamera { folder, _ in
      func refusal(
        _ points: Points,
        as expected: ControlError.Code = .refused
      ) async throws -> String {
        switch try await answer(to: points, in: folder) {
        case .success: return "not refused"
        case .failure(.failed(let code, let message, let data)):
          #expect(code == expected.rawValue, "\(message)")
          if message.hasSuffix("try again") { #expect(data?["code"]?.string == "busy") }
          return message
        case .failure(let error): return "\(error)"
        }
      }
      var mirrored = marks(error: 0)
      for (mark, point) in mirrored { mirrored[mark]?.u = 1280 - point.u }
      #expect(try await refusal(request(mirrored)).hasPrefix("the picture is mirrored"))
      let three = Dictionary(uniqueKeysWithValues: Array(marks(error: 0).prefix(3)))
      #expect(try await refusal(request(three)).hasPrefix("3 points are too few"))
      let square = try #require(PictureSize(width: 1280, height: 960))
      let shape = try await refusal(request(marks(error: 0), size: square))
      #expect(shape.contains("another shape"), "\(shape)")
      var unknown = request(marks(error: 0))
      unknown.points["middle"] = [1, 2]
      #expect(try await refusal(unknown, as: .invalidParameters) == "there is no mark middle")
      unknown.points["middle"] = nil
      unknown.size = [1280]
      let size = try await refusal(unknown, as: .invalidParameters)
      #expect(size == "the size is not [WIDTH, HEIGHT]")
      unknown.size = [1280, 720]
      unknown.lens = 7
      #expect(try await refusal(unknown).hasPrefix("a lens term of 7"))
      // Two at once: one is answered, the other may be asked to wait.
      let snapping = request(marks(error: 4), snap: true)
      async let one = refusal(snapping)
      async let other = refusal(snapping)
      let both = try await [one, other]
      #expect(both.contains("not refused"), "\(both)")
      #expect(both.allSatisfy { $0 == "not refused" || $0.hasSuffix("try again") }, "\(both)")
    }
  }

  @Test func aRefusalNamesTheMarksThatAreWrong() async throws {
    try await withCamera { folder, _ in
      func data(_ marks: [CourtMark: PicturePoint]) async throws -> JSONValue? {
        switch try await answer(to: request(marks), in: folder) {
        case .failure(.failed(_, _, let data)): data
        default: nil
        }
      }
      let right = marks(error: 0)
      let mirrored = right.mapValues { PicturePoint(1280 - $0.u, $0.v) }
      let first = try await data(mirrored)
      #expect(first == .object(["code": .string("mirrored"), "marks": .array([])]))
      var slipped = right
      slipped[.singlesLeftService]?.u += 60
      let wrong = JSONValue.array([.string("singles-left-service")])
      let second = try await data(slipped)
      #expect(second == .object(["code": .string("contradicting"), "marks": wrong]))
    }
  }
}
