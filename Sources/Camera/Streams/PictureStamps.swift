import Host

/// When pictures were taken, as ffmpeg's filter `metadata` prints it, a line a picture among others:
/// `frame:12   pts:34500   pts_time:2.3`.
struct PictureStamps {
  /// Pictures follow their stamps at once: with more of them, it isn't known which is whose.
  private static let most = 1_000

  private var lines = LineSplitter(longest: 200)
  /// Of the pictures that have not come.
  private var waiting: [Duration] = []
  private var isLost = false

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var new: [Duration] = []
    lines.append(bytes) { _, content in
      guard case .line(let line) = content else { return }
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      guard words.first?.hasPrefix("frame:") == true else { return }
      let time = words.lazy.filter { $0.hasPrefix("pts_time:") }
        .compactMap { Double($0.dropFirst("pts_time:".count)) }.first
      // A picture without a time keeps its place.
      new.append(time.map { $0.isFinite && abs($0) < 1e9 ? .seconds($0) : .zero } ?? .zero)
    }
    isLost = isLost || waiting.count + new.count > Self.most
    waiting = isLost ? [] : waiting + new
  }

  /// The next picture's.
  mutating func next() -> Duration? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
