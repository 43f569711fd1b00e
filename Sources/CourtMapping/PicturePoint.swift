/// A place in a camera's picture, in pixels: u to the right, v down, from the upper left corner.
package struct PicturePoint: Hashable, Sendable {
  package var u: Double
  package var v: Double

  package init(_ u: Double, _ v: Double) {
    self.u = u
    self.v = v
  }
}

/// How wide and how high a camera's picture is, in pixels.
package struct PictureSize: Hashable, Sendable {
  /// A smaller picture shows no player, a larger one is no camera's.
  package static let range = 16...16384

  package let width: Int
  package let height: Int

  /// - Returns: nil if a side is out of ``range``.
  package init?(width: Int, height: Int) {
    guard Self.range.contains(width), Self.range.contains(height) else { return nil }
    self.width = width
    self.height = height
  }

  /// Whether a picture of this size can be one of the other, made larger or smaller.
  package func hasShape(of other: PictureSize) -> Bool {
    abs(Double(other.height * width) / Double(other.width) - Double(height)) <= 1
  }
}

extension PictureSize: CustomStringConvertible {
  package var description: String { "\(width) × \(height)" }
}
