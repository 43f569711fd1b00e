package import Clocks
package import CourtMapping
import JSON

/// Where the player's foot is in a frame; as JSON, a position as the bridge takes it.
package struct FootPoint: Hashable, Sendable {
  /// In the frame's pixels.
  package let point: PicturePoint
  /// Of the frame.
  package let size: PictureSize
  package let confidence: Double
  package let taken: MonotonicInstant

  init(
    _ point: PicturePoint,
    in size: PictureSize,
    confidence: Double,
    taken: MonotonicInstant
  ) {
    self.point = point
    self.size = size
    self.confidence = confidence
    self.taken = taken
  }
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

/// How large the picture is in which the following positions are, as the bridge takes it.
package struct SizeLine: Encodable, Sendable {
  package let size: [Int]

  package init(_ size: PictureSize) {
    self.size = [size.width, size.height]
  }
}
