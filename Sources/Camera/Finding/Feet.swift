/// Notices when a person's feet vanish, in a colour like the ground's or behind something.
///
/// What is left ends higher in the picture, as a person does who is farther away, and from a low camera
/// it looks like one. A person can't get there from one frame to the next.
struct Feet: Hashable, Sendable {
  /// How much of a person is missing at least, in heights of a person: less may be by the gait.
  private static let least = 0.08
  /// How much farther away, in metres, the rest seems to be at least, even than a runner.
  private static let farther = 0.8
  /// A person walks so far meanwhile, in metres a second: where the rest seems to be is believed then.
  private static let walking = 3.0

  /// The lower ends in the last four frames: a shadow or a ball may have been one of them.
  private var ends: SIMD4<Double>
  /// Where the rest ended in the last frame; nil if the feet were seen.
  private var rest: Double?

  init(_ candidate: Candidate) {
    ends = SIMD4(repeating: Double(candidate.box.bottom))
  }

  mutating func follow(_ candidate: Candidate) {
    ends = SIMD4(ends.y, ends.z, ends.w, Double(candidate.box.bottom))
    rest = nil
  }

  /// - Parameters:
  ///   - distance: from where the feet were seen last, in metres.
  ///   - passed: since then, in seconds.
  ///   - pixel: the metres on the ground that one pixel covers there.
  mutating func areLost(
    _ candidate: Candidate,
    off distance: Double,
    after passed: Double,
    pixel: Double
  ) -> Bool {
    let end = Double(candidate.box.bottom)
    let body = CandidateJudge.body
    let least = Self.least * Double(candidate.body.height) / (body.above + body.below)
    if let rest {
      let areBack = end - rest > least || end > ends.min() - least / 2
      if areBack || distance < Self.walking * passed { return false }
    } else {
      let excess = ends.min() - end - Track.fastest * passed / pixel
      guard excess > least, excess * pixel > Self.farther else { return false }
    }
    rest = end
    return true
  }
}
