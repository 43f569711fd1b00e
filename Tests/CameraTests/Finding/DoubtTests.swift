import Camera
import Clocks
import CourtMapping
import Scenes
import Testing

/// In doubt the finder says nothing, and why.
@Suite struct DoubtTests {
  @Test func anEmptyCourtHasNoPlayer() throws {
    let watched = try Watched(.empty, seed: 304, seconds: 6)
    #expect(watched.doubts(from: 0, to: 1.9) == ["learning"])
    #expect(watched.doubts(from: 2.1) == ["no-player"])
    #expect(watched.frames.allSatisfy { $0.place == nil })
  }

  @Test func aPlayerIsConfirmedBeforeAnythingIsSaid() throws {
    let watched = try Watched(.sun, seed: 304, seconds: 4)
    let entrance = try #require(watched.frames.firstIndex { $0.foot != nil })
    let found = try #require(watched.frames.firstIndex { $0.place != nil })
    #expect(found - entrance >= 3 && found - entrance < 10, "\(found - entrance)")
    #expect(watched.frames[entrance..<found].contains { $0.doubt == "unconfirmed" })
  }

  @Test func atNightItIsTooDark() throws {
    let watched = try Watched(.night, seed: 304, seconds: 6)
    #expect(watched.doubts(from: 2.1) == ["too-dark"])
  }

  @Test func aSwingingCameraIsTooMuchMotion() throws {
    let watched = try Watched(.swinging, seed: 304, seconds: 24)
    #expect(watched.doubts(from: 4, to: 20).isDisjoint(with: ["too-much-motion"]))
    #expect(watched.doubts(from: 20, to: 20.5).contains("too-much-motion"))
    // What is found while all moves is rare, and the scene's player is far from there.
    let after = watched.between(20.2, 24)
    #expect(after.count { $0.place == nil } > after.count * 9 / 10)
  }

  /// From behind the player, high up.
  private func finderOfSmallPictures() throws -> (PlayerFinder, PictureSize) {
    let size = try #require(PictureSize(width: 64, height: 36))
    let camera = SceneCamera(
      place: Vector(4.1, 24, 6),
      aim: Vector(4.1, -4, 0),
      view: 60,
      size: fullSize
    )
    let calibration = try Calibration(
      marks: camera.marks(in: fullSize, error: 0, seed: 1),
      size: fullSize
    )
    let finder = PlayerFinder(calibration: calibration, size: size)
    return (finder, size)
  }

  /// While what was learnt settles, the picture is quiet again.
  @Test func aLampThatFlashesIsTheShareThatWasTooMuch() throws {
    let (finder, size) = try finderOfSmallPictures()
    var shares: [Double] = []
    for frame in 0..<75 {
      var picture = ColourPicture(width: size.width, height: size.height)
      for index in picture.bytes.indices {
        picture.bytes[index] = frame == 45 && index < picture.bytes.count / 3 ? 220 : 100
      }
      let time = MonotonicInstant.start.advanced(by: .seconds(Double(frame) / 15))
      if case .nothing(.tooMuchMotion(let share)) = finder.find(in: picture, at: time) {
        shares.append(share)
      }
    }
    #expect(shares.count > 10 && shares.allSatisfy { $0 > FinderRules().mostMotion }, "\(shares)")
  }

  @Test(arguments: [304, 305, 306] as [UInt64])
  func aWetCourtIsRecognised(_ seed: UInt64) throws {
    let watched = try Watched(.wet, seed: seed, seconds: 16)
    let late = watched.between(13, 16)
    #expect(late.count { $0.doubt == "wet-court" } > late.count * 8 / 10)
    // The player enters at three seconds. Hardly anything is said of it before.
    #expect(watched.frames.count { $0.place != nil } < 5)
  }

  /// The player was there while the court was learnt, and the ghost lies below the player.
  @Test func aGhostIsNoReflection() throws {
    let watched = try Watched(.running, seed: 50, seconds: 8)
    #expect(!watched.doubts(from: 2.1).contains("wet-court"))
    #expect(watched.between(5, 8).allSatisfy { $0.place != nil })
  }

  /// Where a person is small, and the feet are in the last row, there is nothing below to compare with.
  @Test func aPersonAtTheLowerEdgeOfASmallPictureIsNoReflection() throws {
    let (finder, size) = try finderOfSmallPictures()
    var picture = ColourPicture(width: size.width, height: size.height)
    for index in picture.bytes.indices { picture.bytes[index] = 100 }
    var doubts: Set<String> = []
    for frame in 0..<60 {
      if frame == 40 {
        for row in 27..<36 {
          for index in (row * 64 + 20) * 3..<(row * 64 + 26) * 3 { picture.bytes[index] = 220 }
        }
      }
      let time = MonotonicInstant.start.advanced(by: .seconds(Double(frame) / 15))
      if case .nothing(let doubt) = finder.find(in: picture, at: time) { doubts.insert(doubt.code) }
    }
    #expect(!doubts.contains("wet-court") && doubts.contains("no-player"), "\(doubts)")
  }

  @Test func aSecondPersonOnTheCourtStopsTheSightings() throws {
    let watched = try Watched(.intruder, seed: 304, seconds: 28)
    #expect(watched.doubts(from: 4, to: 20).isDisjoint(with: ["second-person"]))
    let after = watched.between(21.5, 28)
    #expect(after.count { $0.doubt == "second-person" } > after.count * 9 / 10)
  }

  @Test func aSecondPersonMayBeAllowed() throws {
    var rules = FinderRules()
    rules.refusesSecondPerson = false
    let watched = try Watched(.intruder, seed: 304, seconds: 28, rules: rules)
    #expect(!watched.doubts(from: 4).contains("second-person"))
    #expect(watched.between(21.5, 28).contains { $0.place != nil })
  }

  /// A post of a person's size is put up, and stays.
  @Test func whatNeverMovesIsNoPlayer() throws {
    var rules = FinderRules()
    rules.longestStill = 4
    let watched = try Watched(.empty, seed: 304, seconds: 20, rules: rules) { picture, time in
      guard time > 3 else { return }
      for row in 72..<104 {
        for column in 150..<160 {
          for channel in 0..<3 {
            picture.bytes[(row * 320 + column) * 3 + channel] = channel == 2 ? 220 : 40
          }
        }
      }
    }
    #expect(watched.between(4, 6).contains { $0.place != nil })
    #expect(watched.doubts(from: 7, to: 9).contains("lifeless"))
    // Learnt as a part of the court.
    #expect(watched.doubts(from: 17) == ["no-player"])
  }

  @Test func aPictureOfAnotherSizeIsRefused() throws {
    let scene = Scene(.sun, seed: 304, size: smallSize)
    let calibration = try Calibration(
      marks: scene.camera.marks(in: fullSize, error: 0, seed: 1),
      size: fullSize
    )
    let finder = PlayerFinder(calibration: calibration, size: smallSize)
    let wide = ColourPicture(width: 640, height: 360)
    #expect(finder.find(in: wide, at: .start) == .nothing(.pictureSize))
    var short = ColourPicture(width: 320, height: 180)
    short.bytes.removeLast()
    #expect(finder.find(in: short, at: .start) == .nothing(.pictureSize))
  }

  @Test func eachDoubtHasACodeAndAText() {
    let doubts: [Doubt] = [
      .learning, .cameraMoved(pixels: 7.4), .courtHidden, .tooMuchMotion(share: 0.25), .tooDark,
      .wetCourt, .secondPerson, .noPlayer, .unconfirmed, .lifeless, .pictureSize,
    ]
    #expect(Set(doubts.map(\.code)).count == doubts.count)
    #expect(Set(doubts.map(\.description)).count == doubts.count)
    #expect(!doubts.contains { $0.code == SightHint.mayBeWet.code })
    #expect(SightHint.mayBeWet.description.contains("may be wet"))
    #expect(Doubt.cameraMoved(pixels: 7.4).description.contains("7 px"))
    #expect(Doubt.tooMuchMotion(share: 0.25).description.contains("25 %"))
  }
}
