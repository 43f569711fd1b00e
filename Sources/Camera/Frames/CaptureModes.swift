package import CourtMapping

/// What a camera can deliver.
package struct CaptureMode: Hashable, Sendable {
  package let pixelFormat: PixelFormat
  package let size: PictureSize
  /// Frames a second, the highest first; empty if the camera doesn't say.
  package let rates: [Double]
}

/// What is asked of a camera.
package struct CaptureRequest: Hashable, Sendable {
  /// nil: whichever suits the player's finding best.
  package var size: PictureSize?
  /// What may be chosen, what costs least first.
  package var formats = PixelFormat.readable
  /// Frames a second that are worked on.
  package var rate: Double
  /// Frames a second that the camera takes: more than are worked on make each fresher.
  package var capturedRate: Double { max(30, rate) }

  /// - Parameter rate: finite and above 0, at most 1000.
  package init(size: PictureSize? = nil, rate: Double = 15) {
    self.size = size
    self.rate = rate
  }

  /// The mode to try: what isn't compressed costs the processor least where it is quick enough over
  /// USB 2, and JPEG is what is left for larger pictures.
  ///
  /// - Returns: nil if the camera offers nothing that can be used, or nothing of that size.
  package func choose(of modes: [CaptureMode]) -> CaptureMode? {
    let usable = modes.filter {
      formats.contains($0.pixelFormat) && FrameLayout($0.pixelFormat, $0.size) != nil
        && (size == nil || $0.size == size)
    }
    return usable.min { cost($0) < cost($1) }
  }

  /// The least one wins. Of equals the order of the camera doesn't count, so that a calibration
  /// finds its size again.
  private func cost(_ mode: CaptureMode) -> (Int, Int, Int, Int, Int) {
    let isRaw = mode.pixelFormat != .mjpeg
    let isSlow = mode.rates.first.map { $0 < rate * 0.9 } ?? false
    let ideal = isRaw ? (width: 640, height: 360) : (width: 1280, height: 720)
    let isLargeRaw = isRaw && size == nil && mode.size.width > 960
    let isSmall = size == nil && mode.size.width < 320
    return (
      (isSlow ? 2 : 0) + (isSmall ? 1 : 0),
      isLargeRaw ? 2 : isRaw ? 0 : 1,
      abs(mode.size.width - ideal.width),
      abs(mode.size.height - ideal.height),
      formats.firstIndex(of: mode.pixelFormat) ?? formats.count
    )
  }
}

extension [CaptureMode] {
  /// What is tried where a camera offers ranges: 16:9 and 4:3, as cameras have.
  static let commonSizes = [
    (320, 180), (320, 240), (640, 360), (640, 480), (800, 600), (1280, 720), (1920, 1080),
  ].compactMap(PictureSize.init)

  /// In words, for the error when none is chosen.
  var inWords: String {
    isEmpty
      ? "no format at all"
      : map { "\($0.size.width) × \($0.size.height) \($0.pixelFormat)" }.joined(separator: ", ")
  }

  /// Why a camera with these modes can't be used at any size, where the remedy is known.
  func problem(of name: String, at path: String) -> CameraProblem? {
    guard CaptureRequest().choose(of: self) == nil else { return nil }
    let videos = [(PixelFormat.h264, "H.264", "h264"), (.hevc, "H.265", "hevc")]
    guard let video = videos.first(where: { video in contains { $0.pixelFormat == video.0 } })
    else { return nil }
    let line = "[ffmpeg, -f, v4l2, -input_format, \(video.2), -i, \(path), -f, mjpeg, -]"
    return CameraProblem(
      .needsDecoder,
      path,
      "\(name) gives \(video.1) alone, which ffmpeg reads",
      remedy: "set camera.command: \(line)"
    )
  }
}
