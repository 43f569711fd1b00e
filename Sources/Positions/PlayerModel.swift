import CourtLogic

/// A simulated player who runs from ball to ball, seen 30 times a second by a detector with a
/// little noise. The same seed gives the same rally.
package struct PlayerModel: Sequence, IteratorProtocol, Sendable {
  package static let framesPerSecond = 30
  /// A club player's sprint and push-off, in metres and seconds.
  private static let topSpeed = 4.5
  private static let acceleration = 6.0
  /// The noise of a detector's box, in metres.
  private static let noise = 0.04

  private var generator: SeededGenerator
  private var frame = 0
  private var x: Double
  private var y: Double
  private var speed = 0.0
  private var target: (x: Double, y: Double)
  private var restingFrames = 0

  package init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    (x, y) = (Court.width / 2, Court.length - 0.5)
    target = (x, y)
  }

  /// Never nil.
  package mutating func next() -> TimedPosition? {
    let offset = Duration.seconds(frame) / Self.framesPerSecond
    let seenX = x + noise()
    let seenY = y + noise()
    advance()
    frame += 1
    // The spots lie within a few metres of the court, so the position is always usable.
    guard let position = try? PlayerPosition(x: seenX, y: seenY) else { return nil }
    return TimedPosition(offset: offset, position: position)
  }

  private mutating func advance() {
    let time = 1 / Double(Self.framesPerSecond)
    guard restingFrames == 0 else {
      restingFrames -= 1
      return
    }
    let distance = ((target.x - x) * (target.x - x) + (target.y - y) * (target.y - y)).squareRoot()
    // Fast enough to get there, slow enough to stop there.
    let braking = (2 * Self.acceleration * distance).squareRoot()
    speed = Swift.min(speed + Self.acceleration * time, Self.topSpeed, braking)
    let step = speed * time
    if distance <= Swift.max(step, 0.02) {
      (x, y) = target
      speed = 0
      restingFrames = Int.random(in: 6...36, using: &generator)
      target = spot()
    } else {
      x += (target.x - x) / distance * step
      y += (target.y - y) / distance * step
    }
  }

  /// Where the next ball comes: mostly near the baseline, often behind it, now and then short.
  private mutating func spot() -> (x: Double, y: Double) {
    let depth: ClosedRange<Double> =
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4: 9.2...11.7
      case 4..<6: 12.0...13.4
      case 6..<9: 5.0...9.0
      default: 1.5...4.5
      }
    return (
      Double.random(in: 0.4...Court.width - 0.4, using: &generator),
      Double.random(in: depth, using: &generator)
    )
  }

  /// Nearly normal: the mean of four uniform numbers.
  private mutating func noise() -> Double {
    let sum = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &generator) }
    return sum / 4 * 2 * Self.noise
  }
}
