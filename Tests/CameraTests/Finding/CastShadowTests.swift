import Camera
import CourtMapping
import Scenes
import Testing

@testable import Camera

/// The shadows of a hard sun are told from dark clothes by what they fall on.
@Suite struct CastShadowTests {
  /// A court with a white line in every eighth row.
  private struct Court {
    static let size = (width: 48, height: 32)
    let background = Background(width: size.width, height: size.height)
    var shadow = CastShadow(pixels: size.width * size.height)
    private var time = 0.0

    static func ground(_ row: Int) -> SIMD3<Double> {
      row % 8 == 0 ? SIMD3(225, 230, 235) : SIMD3(140, 90, 62)
    }

    init() {
      for _ in 0..<30 { update(rate: 0.1) { _ in nil } }
    }

    /// Looks at a court whose middle is covered: with the colour that is given for a ground, or not at all.
    mutating func update(rate: Float = 0.01, _ cover: (SIMD3<Double>) -> SIMD3<Double>?) {
      var picture: [UInt8] = []
      for row in 0..<Self.size.height {
        for column in 0..<Self.size.width {
          let ground = Self.ground(row)
          let isCovered = (4..<28).contains(row) && (10..<38).contains(column)
          let colour = isCovered ? cover(ground) ?? ground : ground
          picture += [UInt8(colour.x), UInt8(colour.y), UInt8(colour.z)]
        }
      }
      picture.withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return }
        background.update(base, rate: rate, kept: nil, nil)
        time += 1
        shadow.take(from: background, base, at: time)
      }
    }

    var moving: Int {
      (0..<Self.size.width * Self.size.height)
        .count { background.mask[$0] == Background.Label.moving }
    }
  }

  @Test func whatLeavesTheSameShareOnCourtAndLinesIsAShadow() throws {
    var court = Court()
    court.update { $0 * SIMD3(0.42, 0.36, 0.33) }
    let share = try #require(court.shadow.share)
    #expect(abs(share.x - 0.42) < 0.01 && abs(share.y - 0.36) < 0.01 && abs(share.z - 0.33) < 0.01)
    #expect(court.moving == 0)
  }

  @Test func darkClothesAreNoShadow() {
    var court = Court()
    // As dark as a shadow on the court, and as dark on its lines.
    court.update { _ in SIMD3(59, 32, 20) }
    #expect(court.shadow.share == nil)
    #expect(court.moving == 24 * 28)
  }

  /// The sky's light is bluer than the sun's.
  @Test func whatIsRedderThanTheCourtIsNoShadow() {
    var court = Court()
    court.update { $0 * SIMD3(0.33, 0.36, 0.42) }
    #expect(court.shadow.share == nil)
    #expect(court.moving > 0)
  }

  /// The player is named where the feet are, wherever the shadow falls. Before the shadow is known, in the
  /// first seconds, the places are nearer to the camera.
  @Test(
    arguments: zip(
      [Setting.sun, .high, .low, .corner],
      [CourtPoint(0, 1.2), CourtPoint(0.85, 0.85), CourtPoint(1.2, 0), CourtPoint(0.5, 0.5)]
    )
  )
  func aHardShadowDoesNotDrawTheFeet(_ setting: Setting, _ sun: CourtPoint) throws {
    let watched = try Watched(setting, seed: 304, seconds: 20, spoiling: .hardSun, sun: sun)
    let frames = watched.between(10, .infinity)
    let camera = Scene(setting, seed: 304, size: smallSize).camera.place
    let bias = frames.bias(towards: CourtPoint(camera.x, camera.y))
    #expect(abs(bias) <= 0.15, "\(setting): \(bias) m")
    #expect(frames.tracked >= 0.99, "\(setting)")
    // As without a shadow.
    #expect(
      frames.error(0.95) <= (setting == .low ? 1 : 0.6),
      "\(setting): \(frames.error(0.95)) m"
    )
  }
}
