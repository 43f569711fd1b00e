import CourtLogic

/// What all positions of a source so far have in common.
struct FrameEvidence: Hashable, Sendable {
  /// In metres from the half: no player is there, and the surroundings of no court reach so far.
  ///
  /// Source: ITF Rules of Tennis 2024, recommended space: 3.66 m beside and 6.40 m behind the court.
  static let farAway = 10.0

  private var areFractions = true
  /// Whether one is no whole number: those of a player at the net's corner may all be 0 and 1.
  private(set) var hasPart = false
  private var areFarAway = true

  init() {}

  init(_ points: [(x: Double, y: Double)]) {
    for point in points { saw(x: point.x, y: point.y) }
  }

  mutating func saw(x: Double, y: Double) {
    areFractions = areFractions && (0...1).contains(x) && (0...1).contains(y)
    hasPart = hasPart || x.rounded() != x || y.rounded() != y
    areFarAway = areFarAway && Self.isFarAway(x: x, y: y)
  }

  /// Why none of them is in metres of this court.
  var misfit: FrameMisfit? { areFractions && hasPart ? .fractions : areFarAway ? .farAway : nil }

  static func isFarAway(x: Double, y: Double) -> Bool {
    let beside = max(-x, x - Court.width, 0)
    let behind = max(-y, y - Court.length, 0)
    return beside * beside + behind * behind > farAway * farAway
  }
}

/// Judges whether the positions of one source can be metres of this court.
///
/// Its first ``evidence`` positions decide. A verdict holds until one position speaks against it, and is not
/// given again: a player may stand anywhere later.
struct FrameWatch: Hashable, Sendable {
  /// How many positions it takes. Until then nothing is said.
  static let evidence = 100
  /// In metres: a player behind the baseline of a court that counts from 0 to 1 is nearer than this.
  private static let leastMetres = 2.0

  private var count = 0
  private var first = FrameEvidence()
  private var verdict: FrameMisfit?

  /// - Returns: why the positions can't be metres; nil if they can, or while they are too few.
  mutating func judge(_ position: PlayerPosition) -> FrameMisfit? {
    if count < Self.evidence {
      count += 1
      first.saw(x: position.x, y: position.y)
      if count == Self.evidence { verdict = first.misfit }
      return verdict
    }
    switch verdict {
    case nil: break
    case .fractions: if max(abs(position.x), abs(position.y)) > Self.leastMetres { verdict = nil }
    case .farAway: if !FrameEvidence.isFarAway(x: position.x, y: position.y) { verdict = nil }
    }
    return verdict
  }
}
