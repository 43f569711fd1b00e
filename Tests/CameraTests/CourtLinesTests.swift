import Camera
import CourtMapping
import Foundation
import Scenes
import TestSupport
import Testing

/// The painted lines of rendered courts.
@Suite struct CourtLinesTests {
  private static let size = PictureSize(width: 1280, height: 720)!

  /// A frame of the scene in grey.
  private func still(_ scene: Scene) -> GreyPicture {
    let size = Self.size
    var bytes = [UInt8](repeating: 0, count: size.width * size.height * 3)
    _ = scene.next(into: &bytes)
    var grey = GreyPicture(width: size.width, height: size.height)
    for pixel in grey.bytes.indices {
      // Source: ITU-R BT.601.
      let (blue, green, red) = (bytes[pixel * 3], bytes[pixel * 3 + 1], bytes[pixel * 3 + 2])
      grey.bytes[pixel] = UInt8((Int(blue) * 29 + Int(green) * 150 + Int(red) * 77) >> 8)
    }
    return grey
  }

  /// The greatest error over the player's half and behind it, in metres.
  private func error(_ calibration: Calibration, _ camera: SceneCamera) -> Double {
    var worst = 0.0
    for x in stride(from: 0.0, through: 8.23, by: 1) {
      for y in stride(from: 1.0, through: 13, by: 1) {
        guard let seen = camera.sees(Vector(x, y, 0))?.point,
          (0..<Double(camera.size.width)).contains(seen.u),
          (0..<Double(camera.size.height)).contains(seen.v)
        else { continue }
        worst = max(
          worst,
          calibration.court(seen).map { hypot($0.x - x, $0.y - y) } ?? .infinity
        )
      }
    }
    return worst
  }

  @Test(arguments: [Setting.dull, .high, .machine, .corner])
  func roughPointsAreDrawnToTheLines(_ setting: Setting) throws {
    let scene = Scene(setting, seed: 2, size: Self.size)
    let lines = CourtLines(still(scene))
    var (before, after): ([Double], [Double]) = ([], [])
    for seed in 1...5 as ClosedRange<UInt64> {
      let marks = scene.camera.marks(in: Self.size, error: 3, seed: seed)
      let rough = try Calibration(marks: marks, size: Self.size)
      let found = lines.snap(rough)
      let snapped = try #require(found)
      before.append(error(rough, scene.camera))
      after.append(error(snapped, scene.camera))
      #expect(snapped.marks.keys == rough.marks.keys)
      let seen = lines.share(seenBy: snapped)
      let share = try #require(seen)
      #expect(share > 0.5, "\(share)")
    }
    print("lines: \(setting): worst error \(before.max()!) m, snapped \(after.max()!) m")
    #expect(after.max()! < 0.25, "\(after)")
    #expect(after.reduce(0, +) < before.reduce(0, +))
  }

  /// A camera that was turned by 2 % of the picture's width since it was calibrated.
  @Test func aCalibrationOfAnotherPlaceFindsNoLines() throws {
    let scene = Scene(.dull, seed: 2, size: Self.size)
    let lines = CourtLines(still(scene))
    let marks = scene.camera.marks(in: Self.size, error: 0.5, seed: 1)
    let good = try Calibration(marks: marks, size: Self.size)
    let moved = try Calibration(
      marks: marks.mapValues { PicturePoint($0.u + 25, $0.v - 12) }.filter { $0.value.u <= 1280 },
      size: Self.size
    )
    let seen = try #require(lines.share(seenBy: good))
    let lost = try #require(lines.share(seenBy: moved))
    #expect(lost < 0.5 * seen, "\(seen) \(lost)")
  }

  /// The lines along which the camera was moved, or turned, slide onto themselves.
  @Test(
    arguments: [(Setting.dull, 1.0, 0.0), (.dull, -2, 0), (.high, 1, 0), (.corner, 1, 0)]
      + [(.machine, 1, 0), (.side, 2, 0), (.side, 0, 30), (.side, 0, -30)]
  )
  func oneDirectionOfLinesIsNotEnough(_ setting: Setting, metres: Double, pixels: Double) throws {
    let scene = Scene(setting, seed: 2, size: Self.size)
    let lines = CourtLines(still(scene))
    let marks = scene.camera.marks(in: Self.size, error: 0, seed: 1)
    let moved = scene.camera.marks(in: Self.size, along: metres)
      .mapValues { PicturePoint($0.u + pixels, $0.v) }.filter { (0...1280).contains($0.value.u) }
    let seen = lines.share(seenBy: try Calibration(marks: marks, size: Self.size))
    let lost = lines.share(seenBy: try Calibration(marks: moved, size: Self.size))
    let (share, least) = (try #require(seen), try #require(lost))
    #expect(share > 0.5 && least < 0.5 * share, "\(share) \(least)")
  }

  @Test func aPictureWithoutACourtSnapsNothing() throws {
    let marks = Scene(.dull, seed: 2, size: Self.size).camera.marks(
      in: Self.size,
      error: 1,
      seed: 1
    )
    let calibration = try Calibration(marks: marks, size: Self.size)
    let lines = CourtLines(GreyPicture(width: 1280, height: 720))
    #expect(lines.snap(calibration) == nil)
    #expect(lines.share(seenBy: calibration) == 0)
    #expect(CourtLines(GreyPicture(width: 640, height: 360)).share(seenBy: calibration) == nil)
  }
}
