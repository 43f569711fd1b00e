import CourtLogic
import CourtMapping
import Glibc
import Scenes
import Testing

/// What a calibration finds out of good points.
@Suite struct CalibrationTests {
  static let cameras: [(name: String, camera: KnownCamera)] = [
    ("behind the baseline", behindBaseline),
    ("in the corner", KnownCamera(at: (11.5, 16.5, 3), lookingAt: (4, 5.5), fieldOfView: 80)),
    ("beside", KnownCamera(at: (-5.5, 8, 3), lookingAt: (4, 7), fieldOfView: 95)),
    ("by the machine", KnownCamera(at: (4.115, -12.5, 3), lookingAt: (4.115, 6), fieldOfView: 45)),
    ("above", KnownCamera(at: (4.2, 6.5, 14), lookingAt: (4.1, 6), fieldOfView: 70)),
    (
      "with a wide lens",
      KnownCamera(at: (3, 18, 4), lookingAt: (4, 6), fieldOfView: 85, lens: -0.12)
    ),
  ]

  @Test(arguments: cameras)
  func aPlaceOnTheGroundIsFoundAgain(_ name: String, _ camera: KnownCamera) throws {
    let calibration = try Calibration(marks: camera.marks(), size: camera.size)
    for x in stride(from: -2.0, through: 10, by: 1.5) {
      for y in stride(from: 0.5, through: 14, by: 1.5) {
        guard let seen = camera.picture(CourtPoint(x, y)) else { continue }
        let found = try #require(calibration.court(seen))
        #expect(hypot(found.x - x, found.y - y) < 0.005, "\(name) \(x) \(y) \(found)")
        let back = try #require(calibration.picture(found))
        #expect(hypot(back.u - seen.u, back.v - seen.v) < 1e-6)
      }
    }
    // A lens that bends much is taken for one that bends a little less.
    #expect(calibration.residuals.values.allSatisfy { $0 < 0.3 })
    #expect(abs(calibration.lens - camera.lens) < 0.01)
  }

  @Test(arguments: cameras)
  func theCamerasPlaceIsReadBack(_ name: String, _ camera: KnownCamera) throws {
    let calibration = try Calibration(marks: camera.marks(), size: camera.size)
    let place = try #require(calibration.camera)
    #expect(abs(place.height - camera.place.z) < 0.1)
    #expect(hypot(place.ground.x - camera.place.x, place.ground.y - camera.place.y) < 0.2)
    #expect(abs(place.focalLength - camera.focal) < 0.02 * camera.focal)
    #expect(calibration.warnings == [])
  }

  @Test func aPersonsHeightIsKnownEverywhere() throws {
    for (_, camera) in Self.cameras {
      let calibration = try Calibration(marks: camera.marks(), size: camera.size)
      for point in [CourtPoint(4, 8), CourtPoint(1, 11), CourtPoint(7, 3)] {
        guard let foot = camera.picture(point), let head = camera.picture(point, above: 1.75)
        else { continue }
        let truth = hypot(head.u - foot.u, head.v - foot.v)
        let height = try #require(calibration.pixelsHigh(1.75, at: point))
        #expect(abs(height - truth) < 0.03 * truth + 0.5)
      }
    }
  }

  @Test func nothingIsOnTheGroundAboveTheHorizon() throws {
    let calibration = try Calibration(marks: behindBaseline.marks(), size: behindBaseline.size)
    #expect(calibration.court(PicturePoint(640, 0)) == nil)
    #expect(calibration.picture(CourtPoint(4, 25)) == nil)
    #expect(calibration.metresPerPixel(at: CourtPoint(4, 25)) == nil)
    #expect(calibration.pixelsHigh(1.75, at: CourtPoint(4, 25)) == nil)
  }

  @Test func accuracyIsWhatAFootThatIsOffCosts() throws {
    let calibration = try Calibration(marks: behindBaseline.marks(), size: behindBaseline.size)
    for zone in Zone.allCases {
      let error = try #require(calibration.error(in: zone, of: Court()))
      let middle = CourtPoint(
        (Double(zone.column) + 0.5) * Court.zoneWidth,
        (Double(zone.row) + 0.5) * Court.zoneLength
      )
      let seen = try #require(behindBaseline.picture(middle))
      // In the worst of 72 directions.
      let worst = (0..<72).compactMap { step -> Double? in
        let angle = Double(step) * .pi / 36
        let off = PicturePoint(seen.u + 0.03 * cos(angle), seen.v + 0.03 * sin(angle))
        return calibration.court(off).map { hypot($0.x - middle.x, $0.y - middle.y) * 100 }
      }.max()
      #expect(abs(error - (worst ?? 0)) < 0.01 * error)
    }
    // The net is farther from this camera than the baseline.
    let atNet = try #require(Zone("0-1"))
    let atBaseline = try #require(Zone("3-1"))
    let far = try #require(calibration.error(in: atNet, of: Court()))
    let near = try #require(calibration.error(in: atBaseline, of: Court()))
    #expect(far > 2 * near)
  }

  @Test func aKnownLensIsKept() throws {
    let camera = KnownCamera(at: (3, 18, 4), lookingAt: (4, 6), fieldOfView: 85, lens: -0.12)
    let known = try Calibration(marks: camera.marks(sixMarks), size: camera.size, lens: -0.12)
    #expect(known.lens == -0.12)
    #expect(known.residuals.values.allSatisfy { $0 < 0.01 })
    let unknown = try Calibration(marks: camera.marks(sixMarks), size: camera.size)
    #expect(unknown.lens == 0)
  }
}
