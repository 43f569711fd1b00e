import Camera
import CourtLogic
import CourtMapping
import Glibc
import Scenes
import Testing

/// What the finder makes of scenes with one player on a dry court. The page Sight of the documents has
/// the figures of many seeds.
@Suite struct PlayerFinderTests {
  /// The bounds are the goals. No parameter was chosen on these seeds.
  @Test(arguments: [Setting.sun, .high, .wind, .company, .machine, .side, .corner])
  func thePlayerIsFound(_ setting: Setting) throws {
    let frames = try Watched(setting, seed: 304, seconds: 18).between(4, .infinity)
    #expect(frames.tracked >= 0.99, "\(setting)")
    #expect(frames.error(0.95) <= 0.6, "\(setting)")
    #expect(frames.longestGap <= 4, "\(setting)")
    // The goal of 95 % is for many scenes; one player may run along an edge for long.
    #expect(rightZones(frames) >= 0.85, "\(setting)")
    let doubts = Set(frames.compactMap(\.doubt))
    #expect(doubts.isSubset(of: ["no-player", "unconfirmed"]), "\(setting) \(doubts)")
  }

  /// Clothes may have the court's colour, or its shadow's. Then a closer look finds the player. Seeds
  /// from 401 on are those on which it was developed.
  @Test(
    arguments: zip(
      [Setting.clouds, .dusk, .grey, .camouflage, .dusk, .grey, .camouflage],
      [304, 304, 304, 304, 434, 417, 430] as [UInt64]
    )
  )
  func littleContrastMakesNoGapsAndNoErrors(_ setting: Setting, _ seed: UInt64) throws {
    let frames = try Watched(setting, seed: seed, seconds: 18).between(4, .infinity)
    #expect(frames.tracked >= 0.99, "\(setting)")
    #expect(frames.error(0.95) <= 0.6, "\(setting)")
    #expect(frames.longestGap <= 4, "\(setting)")
    let doubts = Set(frames.compactMap(\.doubt))
    #expect(doubts.isSubset(of: ["no-player", "unconfirmed"]), "\(setting) \(doubts)")
  }

  /// Of the means over a second, those in the right zone.
  private func rightZones(_ frames: [Watched.Frame]) -> Double {
    var (right, all) = (0, 0)
    for end in stride(from: 15, through: frames.count, by: 1) {
      let second = frames[(end - 15)..<end]
      let places = second.compactMap(\.place)
      guard places.count == 15 else { continue }
      all += 1
      if zone(places) == zone(second.compactMap(\.foot)) { right += 1 }
    }
    return Double(right) / Double(max(all, 1))
  }

  private func zone(_ places: [CourtPoint]) -> Zone? {
    let x = places.map(\.x).reduce(0, +) / Double(places.count)
    let y = places.map(\.y).reduce(0, +) / Double(places.count)
    return Court().zone(x: min(max(x, 0), Court.width), y: min(max(y, 0), Court.length))
  }

  @Test func aLowCameraSeesLessExactly() throws {
    let frames = try Watched(.low, seed: 304, seconds: 18).between(4, .infinity)
    #expect(frames.tracked >= 0.99)
    #expect(frames.error(0.95) <= 1)
  }

  @Test func aPlayerWhoStandsStillFor25SecondsStays() throws {
    let watched = try Watched(.waiting, seed: 304, seconds: 46)
    let still = zip(watched.frames, watched.frames.dropFirst()).filter { one, next in
      guard let from = one.foot, let to = next.foot else { return false }
      return hypot(from.x - to.x, from.y - to.y) < 0.005
    }
    #expect(still.count > 24 * 15, "the scene's player stands for \(still.count) frames")
    let frames = watched.between(4, .infinity)
    #expect(frames.tracked >= 0.99)
    #expect(frames.error(0.99) <= 0.6)
  }

  /// The background was learnt with the player in it: the empty court behind must not be taken for
  /// the player.
  @Test(arguments: zip([304, 407, 553] as [UInt64], [2.5, 4, 4]))
  func aPlayerFromTheFirstFrameOnLeavesNoGhost(_ seed: UInt64, from: Double) throws {
    let frames = try Watched(.present, seed: seed, seconds: 14).between(from, .infinity)
    #expect(frames.tracked >= 0.97)
    #expect(frames.error(0.95) <= 0.6)
    #expect(frames.longestGap <= 4)
  }

  /// In doubt nothing is said while the player goes; then the player is found again.
  @Test(arguments: [
    (Setting.staying, 15 as UInt64), (.staying, 19), (.staying, 570), (.calibrating, 3),
    (.calibrating, 18), (.calibrating, 597),
  ])
  func aPersonWhoStoodOnTheCourtLeavesNoGhost(_ setting: Setting, _ seed: UInt64) throws {
    let watched = try Watched(setting, seed: seed, seconds: 20)
    let ghosts = watched.frames.filter { frame in
      guard let place = frame.place else { return false }
      return frame.feet.allSatisfy { hypot($0.x - place.x, $0.y - place.y) > 1.5 }
    }
    // Half a second.
    #expect(ghosts.count < 8, "\(ghosts.map(\.time))")
    let frames = watched.between(13, .infinity)
    #expect(frames.tracked >= 0.97)
    #expect(frames.error(0.95) <= 0.6)
  }

  /// A closer look must not see a player in the noise.
  @Test(arguments: [Setting.dusk, .grey, .camouflage])
  func aPlayerWhoVanishesIsNotSeenAnyMore(_ setting: Setting) throws {
    var empty: [ColourPicture] = []
    let watched = try Watched(setting, seed: 304, seconds: 13) { picture, time in
      if time > 2, time < 2.95 { empty.append(picture) }
      if time > 10 { picture = empty[Int(time * 15) % empty.count] }
    }
    #expect(watched.between(9, 10).tracked >= 0.99)
    #expect(watched.between(10.01, 13).allSatisfy { $0.place == nil })
  }

  @Test func theSameFramesGiveTheSameSightings() throws {
    let one = try Watched(.sun, seed: 204, seconds: 6).frames.map(\.sighting)
    let other = try Watched(.sun, seed: 204, seconds: 6).frames.map(\.sighting)
    #expect(one == other)
  }
}
