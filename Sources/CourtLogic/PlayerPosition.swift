/// Where the player stands, in the court's metres. Every value of this type is usable.
package struct PlayerPosition: Hashable, Sendable {
  /// The greatest |x| and |y| in metres: a greater value is in another unit, or in pixels.
  package static let farthest = 50.0
  /// Below this a detector is guessing.
  package static let leastConfidence = 0.5

  /// Metres to the right of the net's left corner.
  package let x: Double
  /// Metres from the net towards the baseline.
  package let y: Double
  /// How sure the source is, 0.5…1, when it says so.
  package let confidence: Double?

  package init(x: Double, y: Double, confidence: Double? = nil) throws(PositionError) {
    for (axis, value) in [(PositionError.Axis.x, x), (.y, y)] {
      guard value.isFinite else { throw .notFinite(axis) }
      guard abs(value) <= Self.farthest else { throw .tooFar(axis, metres: value) }
    }
    if let confidence {
      guard confidence >= 0, confidence <= 1 else {
        throw confidence.isNaN ? .confidenceNotANumber : .confidenceOutOfRange(confidence)
      }
      guard confidence >= Self.leastConfidence else { throw .lowConfidence(confidence) }
    }
    self.init(uncheckedX: x, y: y, confidence: confidence)
  }

  /// For means of positions, which can't leave the range of what they are means of.
  init(uncheckedX x: Double, y: Double, confidence: Double? = nil) {
    self.x = x
    self.y = y
    self.confidence = confidence
  }

  /// In metres.
  package func distance(to other: PlayerPosition) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// Why a position was refused.
package enum PositionError: Error, Hashable, Sendable {
  package enum Axis: String, Hashable, Sendable { case x, y }

  case notFinite(Axis)
  case tooFar(Axis, metres: Double)
  case confidenceNotANumber
  case confidenceOutOfRange(Double)
  case lowConfidence(Double)
}

extension PositionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notFinite(let axis):
      "\(axis) is not a finite number"
    case .tooFar(let axis, let metres):
      "\(axis) is \(metres) m: more than \(Int(PlayerPosition.farthest)) m away (are these metres?)"
    case .confidenceNotANumber:
      "confidence is not a number"
    case .confidenceOutOfRange(let value):
      "confidence is \(value): it must be from 0 to 1"
    case .lowConfidence(let value):
      "confidence is \(value): less than \(PlayerPosition.leastConfidence)"
    }
  }
}
