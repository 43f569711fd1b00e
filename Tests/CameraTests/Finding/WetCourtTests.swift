import Camera
import Clocks
import CourtMapping
import Scenes
import Testing

/// What lies below the feet on a dry court is no reflection.
@Suite struct WetCourtTests {
  /// What lamps throw below the player: the outline upside down, as a fall of the light alone. On real
  /// courts it was taken for a reflection, and sessions were silenced.
  @Test(arguments: [(308, 0.15), (309, 0.25), (311, 0.25)] as [(UInt64, Double)])
  func aShadowOfThePlayersFormIsNoReflection(_ seed: UInt64, _ depth: Double) throws {
    let scene = Scene(.dull, seed: seed, size: smallSize)
    let marks = scene.camera.marks(in: fullSize, error: 0, seed: 1)
    let calibration = try Calibration(marks: marks, size: fullSize)
    let finder = PlayerFinder(calibration: calibration, size: smallSize)
    var picture = ColourPicture(width: smallSize.width, height: smallSize.height)
    var empty = picture.bytes
    var (found, frames) = (0, 0)
    while scene.time < 10 {
      let time = scene.time
      let truth = scene.next(into: &picture.bytes)
      if time < 2.5 { empty = picture.bytes }
      if let foot = truth.foot.flatMap(calibration.picture) {
        darken(&picture.bytes, below: Int(foot.v / 4), empty, by: depth)
      }
      let sighting = finder.find(in: picture, at: .start.advanced(by: .seconds(time)))
      guard time > 4 else { continue }
      frames += 1
      switch sighting {
      case .player: found += 1
      case .nothing(let doubt): #expect(doubt != .wetCourt, "at \(time) s")
      }
    }
    #expect(found > frames * 95 / 100, "\(found) of \(frames)")
  }

  /// In this scene the reflection is faint.
  @Test func aFaintReflectionIsToldAndPlacesAreNamed() throws {
    let scene = Scene(.wet, seed: 1, size: smallSize)
    let marks = scene.camera.marks(in: fullSize, error: 1.5, seed: 1)
    let calibration = try Calibration(marks: marks, size: fullSize)
    let finder = PlayerFinder(calibration: calibration, size: smallSize)
    var picture = ColourPicture(width: smallSize.width, height: smallSize.height)
    var told = 0
    while scene.time < 24 {
      let time = scene.time
      _ = scene.next(into: &picture.bytes)
      let sighting = finder.find(in: picture, at: .start.advanced(by: .seconds(time)))
      if case .player = sighting, finder.hint == .mayBeWet { told += 1 }
      if case .nothing(.wetCourt) = sighting { #expect(finder.hint == nil) }
    }
    #expect(told > 30, "\(told)")
  }

  private func darken(
    _ bytes: inout [UInt8],
    below line: Int,
    _ empty: [UInt8],
    by depth: Double
  ) {
    let stride = smallSize.width * 3
    for off in 1..<40 where line - off >= 0 && line + off < smallSize.height {
      for column in 0..<smallSize.width {
        let (above, below) = (
          (line - off) * stride + column * 3, (line + off) * stride + column * 3
        )
        let isPerson = (0..<3).contains {
          abs(Int(bytes[above + $0]) - Int(empty[above + $0])) > 30
        }
        guard isPerson else { continue }
        for channel in below..<below + 3 {
          bytes[channel] = UInt8(Double(bytes[channel]) * (1 - depth))
        }
      }
    }
  }
}
