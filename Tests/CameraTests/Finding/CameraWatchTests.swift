import Camera
import Clocks
import CourtMapping
import Glibc
import Scenes
import Testing

/// A camera's full picture: half as wide as 1280, since it is drawn once a second.
private let watchedSize = PictureSize(width: 640, height: 360).unsafelyUnwrapped

/// A camera that has moved is noticed by the marks of its calibration.
@Suite struct CameraWatchTests {
  private struct Court {
    let scene: Scene
    let finder: PlayerFinder
    private var picture: ColourPicture
    private var grey: GreyPicture

    init(_ setting: Setting) throws {
      scene = Scene(setting, seed: 203, size: watchedSize, rate: 1)
      let marks = scene.camera.marks(in: watchedSize, error: 1.5, seed: 1)
      let calibration = try Calibration(marks: marks, size: watchedSize)
      finder = PlayerFinder(calibration: calibration, size: smallSize)
      picture = ColourPicture(width: watchedSize.width, height: watchedSize.height)
      grey = GreyPicture(width: watchedSize.width, height: watchedSize.height)
    }

    /// Checks the next second's picture, moved by some pixels, turned about its middle by some degrees and
    /// enlarged, or all black.
    mutating func check(
      moved: (u: Int, v: Int) = (0, 0),
      turned degrees: Double = 0,
      enlarged: Double = 1,
      covered: Bool = false
    ) {
      _ = scene.next(into: &picture.bytes)
      let (width, height) = (watchedSize.width, watchedSize.height)
      picture.bytes.withUnsafeBufferPointer { from in
        grey.bytes.withUnsafeMutableBufferPointer { to in
          let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
          var row = 0
          while row < height {
            let y = Double(row - height / 2) / enlarged
            var column = 0
            while column < width {
              let x = Double(column - width / 2) / enlarged
              let u = Int((cosine * x - sine * y).rounded()) + width / 2 + moved.u
              let v = Int((sine * x + cosine * y).rounded()) + height / 2 + moved.v
              let at = (min(max(v, 0), height - 1) * width + min(max(u, 0), width - 1)) * 3
              to[row * width + column] = covered ? 0 : from[at + 1]
              column += 1
            }
            row += 1
          }
        }
      }
      finder.check(grey)
    }

    var doubt: String? {
      let small = ColourPicture(width: smallSize.width, height: smallSize.height)
      guard case .nothing(let doubt) = finder.find(in: small, at: .start) else { return nil }
      return doubt.code
    }
  }

  @Test(arguments: [Setting.wind, .clouds, .side])
  func aMoveOfFourPixelsIsNoticedAndWindIsNot(_ setting: Setting) throws {
    var court = try Court(setting)
    for _ in 0..<5 {
      court.check()
      #expect(court.doubt == "learning", "\(setting)")
    }
    for _ in 0..<2 { court.check(moved: (3, -3)) }
    #expect(court.doubt == "camera-moved", "\(setting)")
    // It is put right.
    for _ in 0..<2 { court.check() }
    #expect(court.doubt == "learning", "\(setting)")
  }

  /// The middle of all marks stays where it is.
  @Test(arguments: [Setting.wind, .clouds, .side])
  func aCameraThatTurnsOrIsEnlargedIsNoticed(_ setting: Setting) throws {
    for (degrees, enlarged) in [(2, 1), (3, 1), (0, 1.05), (0, 0.95)] as [(Double, Double)] {
      var court = try Court(setting)
      for _ in 0..<3 { court.check() }
      #expect(court.doubt == "learning", "\(setting)")
      for _ in 0..<2 { court.check(turned: degrees, enlarged: enlarged) }
      #expect(court.doubt == "camera-moved", "\(setting): \(degrees)°, \(enlarged)")
    }
    var court = try Court(setting)
    for _ in 0..<3 { court.check() }
    for _ in 0..<2 { court.check(turned: 0.3) }
    #expect(court.doubt == "learning", "\(setting)")
  }

  /// By 2.8 pixels of 1280, or by half a degree: within ten seconds, and not before it has moved.
  @Test(arguments: [Setting.sun, .low, .machine, .dusk])
  func aSmallMoveIsNoticed(_ setting: Setting) throws {
    for (moved, degrees) in [((u: 1, v: -1), 0), ((u: 0, v: 0), 0.5)]
      as [((u: Int, v: Int), Double)]
    {
      var court = try Court(setting)
      for _ in 0..<20 {
        court.check()
        #expect(court.doubt == "learning", "\(setting)")
      }
      for _ in 0..<10 { court.check(moved: moved, turned: degrees) }
      #expect(court.doubt == "camera-moved", "\(setting) \(moved) \(degrees)")
      for _ in 0..<10 { court.check() }
      #expect(court.doubt == "learning", "\(setting)")
    }
  }

  @Test(arguments: [Setting.wind, .clouds, .company])
  func aCameraThatSwaysHasNotMoved(_ setting: Setting) throws {
    var court = try Court(setting)
    for _ in 0..<40 {
      court.check()
      #expect(court.doubt == "learning", "\(setting)")
    }
  }

  @Test func oneGustIsNoMove() throws {
    var court = try Court(.sun)
    court.check()
    court.check(moved: (6, 0))
    #expect(court.doubt == "learning")
    court.check()
    court.check(moved: (6, 0))
    #expect(court.doubt == "learning")
  }

  @Test func aTurnedOrCoveredCameraIsNoticed() throws {
    var court = try Court(.sun)
    court.check()
    for _ in 0..<2 { court.check(moved: (100, 30)) }
    #expect(court.doubt == "court-hidden")
    for _ in 0..<2 { court.check() }
    #expect(court.doubt == "learning")
    for _ in 0..<2 { court.check(covered: true) }
    #expect(court.doubt == "court-hidden")
  }

  /// Then nobody could notice that it moves.
  @Test func aCameraWithNothingToRecogniseSeesNoPlayer() throws {
    var court = try Court(.sun)
    court.check(covered: true)
    #expect(court.doubt == "court-hidden")
    court.check()
    #expect(court.doubt == "learning")
    for _ in 0..<2 { court.check(moved: (6, 0)) }
    #expect(court.doubt == "camera-moved")
  }
}
