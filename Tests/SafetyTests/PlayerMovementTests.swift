import Clocks
import CourtLogic
import TestSupport
import Testing

@testable import Safety

struct PlayerMovementTests {
  /// The greatest speed that is seen when somebody is at `place` at these times.
  private func greatestSpeed(
    at times: some Sequence<Double>,
    _ place: (Double) -> (x: Double, y: Double)
  ) throws -> Double {
    var movement = PlayerMovement()
    return try times.reduce(0) { greatest, time in
      let (x, y) = place(time)
      let position = try PlayerPosition(x: x, y: y)
      return max(greatest, movement.saw(position, at: .start.advanced(by: .seconds(time))) ?? 0)
    }
  }

  @Test func aSprintIsAsFastAsItIs() throws {
    for rate in [2.0, 10, 25, 120] {
      let speed = try greatestSpeed(at: stride(from: 0, to: 2, by: 1 / rate)) { (9 * $0 - 5, 4) }
      #expect(speed <= 9.001 && speed > 6, "at \(rate) Hz: \(speed)")
    }
  }

  @Test func aLeapOfFiveMetresIsFasterThanAnybody() throws {
    for rate in [5.0, 10, 25, 120] {
      for moment in stride(from: 1.0, to: 1.2, by: 0.01) {
        let speed = try greatestSpeed(at: stride(from: 0, to: 2, by: 1 / rate)) {
          ($0 < moment ? 1 : 6, 4)
        }
        #expect(speed > 12, "at \(rate) Hz, \(moment) s: \(speed)")
      }
    }
  }

  @Test(arguments: seeds()) func aTremblingDetectorIsNoSprinter(seed: UInt64) throws {
    print("PlayerMovement: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let speed = try greatestSpeed(at: stride(from: 0, to: 60, by: 1.0 / 30)) { _ in
      (
        4 + .random(in: -0.3...0.3, using: &generator),
        9 + .random(in: -0.3...0.3, using: &generator)
      )
    }
    #expect(speed < 6)
  }

  @Test func aFeederWhoseLinesComeInBurstsIsNoLeap() throws {
    // 25 lines a second of a player at 6 m/s, of which ten at a time arrive at once.
    var movement = PlayerMovement()
    for frame in 0..<200 {
      let arrival = Double(frame / 10) * 0.4
      let position = try PlayerPosition(x: Double(frame) / 25 * 6 - 25, y: 9)
      let speed = movement.saw(position, at: .start.advanced(by: .seconds(arrival)))
      #expect(speed ?? 0 < 12)
    }
  }
}
