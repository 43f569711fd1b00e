/// Pixels that move and hang together.
struct Blob: Hashable, Sendable {
  var box: PixelBox
  /// How many pixels move in it.
  var area: Int
  /// Between the feet, in pixels of the small picture.
  var footU = 0.0
  var footV = 0.0
}
