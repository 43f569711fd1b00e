package import Clocks
package import CourtMapping
import JSON

/// Where the player's foot is in a frame; as JSON, a position as the bridge takes it.
package struct FootPoint: Hashable, Sendable {
  /// The point between the feet, in the frame's pixels.
  package let point: PicturePoint
  package let picture: SizeLine
  package let confidence: Double
  package let taken: MonotonicInstant
}

extension FootPoint: Encodable {
  private enum Key: CodingKey { case u, v, confidence, t }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    let seconds = MonotonicInstant.start.duration(to: taken) / .seconds(1)
    try object.encode(point.u.rounded(places: 1), forKey: .u)
    try object.encode(point.v.rounded(places: 1), forKey: .v)
    try object.encode(confidence.rounded(places: 2), forKey: .confidence)
    try object.encode(seconds.rounded(places: 3), forKey: .t)
  }
}

/// In what picture the following positions are, as the bridge takes it.
package struct SizeLine: Hashable, Encodable, Sendable {
  package let size: [Int]
  /// The digest of what they were found with: the bridge must have the same.
  private let calibration: String

  init(_ size: PictureSize, _ calibration: Calibration) {
    self.size = [size.width, size.height]
    self.calibration = calibration.digest
  }
}
