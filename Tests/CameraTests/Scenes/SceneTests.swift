import Camera
import CourtMapping
import Glibc
import Scenes
import Testing

/// For what doesn't depend on the size.
private let tinySize = PictureSize(width: 64, height: 36).unsafelyUnwrapped

/// The renderer tells the truth, and always the same one.
@Suite struct SceneTests {
  private func frames(
    _ setting: Setting,
    seed: UInt64,
    count: Int,
    size: PictureSize = smallSize,
    spoiling: Spoiling? = nil
  ) -> (bytes: [UInt8], truth: Truth?) {
    let scene = Scene(setting, seed: seed, size: size, spoiling: spoiling)
    var bytes = [UInt8](repeating: 0, count: size.width * size.height * 3)
    var truth: Truth?
    for _ in 0..<count { truth = scene.next(into: &bytes) }
    return (bytes, truth)
  }

  @Test(arguments: Setting.allCases)
  func theSameSeedGivesTheSameFrame(_ setting: Setting) {
    let one = frames(setting, seed: 7, count: 60, size: tinySize)
    #expect(one.bytes == frames(setting, seed: 7, count: 60, size: tinySize).bytes)
    #expect(one.bytes != frames(setting, seed: 8, count: 60, size: tinySize).bytes)
    let places = [7, 8].map { Scene(setting, seed: $0, size: tinySize).camera.place }
    #expect(places[0] != places[1])
    #expect((one.truth?.foot == nil) == (setting == .empty))
  }

  /// What spoils a picture changes neither the player nor the camera, and always in the same way.
  @Test(arguments: Spoiling.allCases)
  func aSpoiltFrameShowsTheSame(_ spoiling: Spoiling) throws {
    let clean = frames(.sun, seed: 7, count: 60)
    let spoilt = frames(.sun, seed: 7, count: 60, spoiling: spoiling)
    #expect(spoilt.bytes == frames(.sun, seed: 7, count: 60, spoiling: spoiling).bytes)
    #expect(spoilt.truth?.foot == clean.truth?.foot)
    let differences = zip(clean.bytes, spoilt.bytes).map { abs(Int($0) - Int($1)) }
    #expect(differences.count { $0 > 5 } > 300)
    // In grey levels. What is drawn or somebody else changes little of it, lamps a band of it.
    #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 12)
    let plain = Scene(.sun, seed: 7, size: tinySize).camera.place
    #expect(Scene(.sun, seed: 7, size: tinySize, spoiling: spoiling).camera.place == plain)
  }

  @Test func thePlayerStandsWhereTheTruthSays() throws {
    let scene = Scene(.dull, seed: 7, size: smallSize)
    var (empty, now) = ([UInt8](repeating: 0, count: 320 * 180 * 3), [UInt8]())
    now = empty
    _ = scene.next(into: &empty)
    var truth = scene.next(into: &now)
    for _ in 0..<60 { truth = scene.next(into: &now) }
    let foot = try #require(truth.foot)
    let sight = try #require(scene.camera.sees(Vector(foot.x, foot.y, 0)))
    let head = try #require(scene.camera.sees(Vector(foot.x, foot.y, 2.2)))
    var (left, right, top, bottom) = (320, 0, 180, 0)
    for row in 0..<180 {
      for column in 0..<320 {
        let at = (row * 320 + column) * 3
        let difference = (0..<3).map { abs(Int(now[at + $0]) - Int(empty[at + $0])) }.max() ?? 0
        guard difference > 40 else { continue }
        (left, right) = (min(left, column), max(right, column))
        (top, bottom) = (min(top, row), max(bottom, row))
      }
    }
    #expect(abs(Double(bottom) - sight.point.v) < 4)
    #expect(Double(top) > head.point.v - 3 && Double(top) < sight.point.v - 15)
    #expect(Double(left) < sight.point.u + 3 && Double(right) > sight.point.u - 3)
  }

  @Test(arguments: Setting.allCases)
  func theMarksMakeACalibration(_ setting: Setting) throws {
    let scene = Scene(setting, seed: 7, size: tinySize)
    let marks = scene.camera.marks(in: fullSize, error: 0, seed: 1)
    let calibration = try Calibration(marks: marks, size: fullSize)
    let camera = try #require(calibration.camera)
    #expect(abs(camera.height - scene.camera.place.z) < 0.05)
    #expect(
      hypot(camera.ground.x - scene.camera.place.x, camera.ground.y - scene.camera.place.y) < 0.1
    )
  }

  @Test func aCameraHasNoBlindSpotInFront() throws {
    let camera = Scene(.sun, seed: 7, size: smallSize).camera
    let middle = try #require(camera.sees(Vector(4.115, 6, 0.3)))
    #expect(abs(middle.point.u - 160) < 15 && abs(middle.point.v - 90) < 10)
    // The player's right is the picture's right, and behind the camera is nothing.
    let right = try #require(camera.sees(Vector(8, 6, 0)))
    #expect(right.point.u > middle.point.u)
    #expect(camera.sees(Vector(4, 40, 1)) == nil)
  }

  @Test func aPictureBecomesAJPEG() throws {
    let frame = frames(.sun, seed: 7, count: 50)
    let packed = try #require(JPEG.encode(frame.bytes, width: 320, height: 180))
    #expect(packed.prefix(2) == [0xFF, 0xD8] && packed.suffix(2) == [0xFF, 0xD9])
    #expect(packed.count > 3000 && packed.count < 50_000)
  }
}
