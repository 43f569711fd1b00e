import CourtMapping

/// A picture of a stream of bytes, whole as far as the stream says.
struct StreamPicture: Equatable {
  let bytes: [UInt8]
  /// nil: a JPEG, which says itself how large it is.
  let layout: FrameLayout?

  /// - Throws: why a JPEG can't be used.
  func ownLayout() throws(PictureProblem) -> FrameLayout {
    if let layout { return layout }
    let header = try bytes.withUnsafeBytes { bytes in
      Result { () throws(PictureProblem) in try JPEGHeader(bytes) }
    }.get()
    guard let layout = FrameLayout(.mjpeg, header.size) else {
      throw PictureProblem(.badSize, "it is too large")
    }
    return layout
  }
}
