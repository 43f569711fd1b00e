import CourtMapping
import Testing

@testable import Camera

/// A player whose feet vanish isn't named farther away.
@Suite struct FeetTests {
  /// Thirty pixels high, half a metre of ground in a pixel: seen from a low camera.
  private func person(end: Int, at y: Double) -> Candidate {
    var candidate = Candidate.person(
      at: 4,
      y,
      box: PixelBox(left: 0, right: 9, top: 60, bottom: end)
    )
    candidate.body = PixelBox(left: 0, right: 15, top: 58, bottom: 95)
    return candidate
  }

  private func lost(_ feet: inout Feet, end: Int, off: Double, after passed: Double) -> Bool {
    feet.areLost(person(end: end, at: 8), off: off, after: passed, pixel: 0.5)
  }

  private var seen: Feet {
    var feet = Feet(person(end: 96, at: 8))
    for _ in 0..<4 { feet.follow(person(end: 96, at: 8)) }
    return feet
  }

  @Test func feetThatVanishAreLostUntilTheyAreBack() {
    var feet = seen
    #expect(lost(&feet, end: 91, off: 2, after: 0.07))
    // What is left doesn't become feet by and by.
    #expect(lost(&feet, end: 91, off: 2, after: 0.13))
    #expect(lost(&feet, end: 92, off: 2, after: 0.2))
    #expect(!lost(&feet, end: 96, off: 0.2, after: 0.27))
  }

  @Test func nothingIsLostByTheGaitOrARun() {
    var feet = seen
    #expect(!lost(&feet, end: 95, off: 0.5, after: 0.07))
    #expect(!lost(&feet, end: 94, off: 1, after: 0.07))
    // 4 m in half a second are as fast as a sprinter.
    #expect(!lost(&feet, end: 88, off: 4, after: 0.5))
  }

  @Test func aPlaceIsBelievedOnceAPersonCanHaveWalkedThere() {
    var feet = seen
    #expect(lost(&feet, end: 91, off: 2, after: 0.07))
    #expect(lost(&feet, end: 91, off: 2, after: 0.6))
    #expect(!lost(&feet, end: 91, off: 2, after: 0.7))
  }

  /// One frame's shadow or ball below the feet is no foot.
  @Test func oneLowEndIsNoReference() {
    var feet = seen
    feet.follow(person(end: 101, at: 8))
    #expect(!lost(&feet, end: 96, off: 0, after: 0.07))
  }
}
