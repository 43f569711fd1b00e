import CourtLogic
import CourtMapping

/// What the first positions of a tracker look like, judged as a whole.
package struct FrameGuess: Hashable, Sendable {
  package enum Fit: Hashable, Sendable {
    /// They are where players of this court are.
    case good
    /// They may be right, but another frame puts them where players are.
    case doubtful
    /// They can't be metres of this court.
    case impossible
  }

  /// How well the frame that was declared fits.
  package let fit: Fit
  /// Frames that put them where players are, the likeliest first; empty where the declared one does.
  package let others: [CourtFrame]
  /// Whether they look like pixels of a picture.
  package let isInPixels: Bool
  /// Whether all lie within 0 … 1: they may be parts of a picture, too.
  package let areParts: Bool
  /// How many positions it is of.
  package let count: Int

  /// How many positions are looked at.
  package static let evidence = FrameWatch.evidence
  /// Fewer show nothing, unless they can't be right.
  private static let leastDoubtful = 20
  /// Most frames that are named beside each other: more are no help.
  private static let mostOthers = 3

  /// - Parameters:
  ///   - points: the tracker's own numbers, one or more.
  ///   - frame: what they were taken for.
  package init(_ points: [(x: Double, y: Double)], as frame: CourtFrame) {
    count = points.count
    let evidence = FrameEvidence(points)
    areParts = evidence.misfit == .fractions
    let declared = Placing(points, in: frame)
    let better = CourtFrame.usual.lazy.filter { $0 != frame }
      .map { (frame: $0, placing: Placing(points, in: $0)) }
      .filter { $0.placing.isLikely && $0.placing.badness < declared.badness - 0.5 }
      .sorted { $0.placing.badness < $1.placing.badness }
    let least = better.first?.placing.badness ?? 0
    let likely = better.prefix { $0.placing.badness < least + 1.5 }.map(\.frame)
    isInPixels = !declared.isUsual && Self.areInPixels(points)
    if FrameEvidence(points.map { frame.metres($0.x, $0.y) }).misfit != nil {
      fit = .impossible
    } else if count >= Self.leastDoubtful,
      !declared.isUsual && !likely.isEmpty && evidence.hasPart || isInPixels
    {
      fit = .doubtful
    } else {
      fit = .good
    }
    others = fit == .good ? [] : Array(likely.prefix(Self.mostOthers))
  }

  /// Whole numbers, or far beyond any court, in the range of pictures.
  private static func areInPixels(_ points: [(x: Double, y: Double)]) -> Bool {
    let far = points.count { max(abs($0.x), abs($0.y)) > PlayerPosition.farthest }
    return far * 2 > points.count
      && points.allSatisfy { (-1...16384).contains($0.x) && (-1...16384).contains($0.y) }
      && !points.contains { $0.x > 0 && $0.x < 1 }
  }
}

/// Where a frame puts points.
private struct Placing {
  /// Beyond the doubles court and its recommended surroundings no player is.
  ///
  /// Source: ITF Rules of Tennis 2024: 3.66 m beside and 6.40 m behind the court.
  private static let besides = -CourtMark.alley - 3.66...Court.width + CourtMark.alley + 3.66
  private static let behinds = -1...Court.length + 6.4
  /// A player who isn't at the net.
  private static let leastMedian = 2.0
  /// Nearer to the net is a player now and then.
  private static let leastUsualMedian = 1.5

  /// The share that is on the court or around it.
  let around: Double
  /// The share that is beside the doubles court.
  let beside: Double
  let median: Double
  /// How far from where players stand, and how unusual the frame: 0 is best.
  let badness: Double

  init(_ points: [(x: Double, y: Double)], in frame: CourtFrame) {
    let placed = points.map { frame.metres($0.x, $0.y) }
    let count = Double(placed.count)
    func share(_ condition: ((x: Double, y: Double)) -> Bool) -> Double {
      Double(placed.count(where: condition)) / count
    }
    around = share { Self.besides.contains($0.x) && Self.behinds.contains($0.y) }
    beside = share { abs($0.x - Court.width / 2) > Court.width / 2 + CourtMark.alley }
    median = placed.map(\.y).sorted()[placed.count / 2]
    // Players stand around the middle of the baseline: a spread of 2.5 m beside it, 4 m along the court.
    let distance = placed.reduce(0) {
      let (x, y) = (($1.x - Court.width / 2) / 2.5, ($1.y - Court.length) / 4)
      return $0 + min((x * x + y * y) / 2, 50)
    }
    badness = distance / count + 0.3 * Double(frame.unusualParts)
  }

  /// Whether a player may be where it puts them.
  var isLikely: Bool { around >= 0.95 && median >= Self.leastMedian }
  /// Whether they are where they usually are.
  var isUsual: Bool { around >= 0.95 && beside < 0.1 && median >= Self.leastUsualMedian }
}

extension CourtFrame {
  /// How many of its parts are not the court's own.
  fileprivate var unusualParts: Int {
    (unit == .metres ? 0 : 1) + (origin == .corner ? 0 : 1) + (axes == .asTheCourts ? 0 : 1)
      + (scale == .one ? 0 : 1)
  }

  /// What trackers write, the usual first.
  fileprivate static let usual: [CourtFrame] = {
    let places: [(Origin, String)] = [
      (.corner, "x,y"), (.centre, "x,y"), (.farLeft, "x,y"), (.centre, "x,-y"), (.nearLeft, "x,-y"),
      (.centre, "-x,-y"), (.nearRight, "-x,-y"), (.centre, "y,x"), (.centre, "-y,-x"),
      (.centre, "-x,y"),
    ]
    var frames: [CourtFrame] = []
    for unit in [Unit.metres, .feet, .centimetres] {
      frames += places.map { CourtFrame(unit, $0.0, Axes(text: $0.1) ?? .asTheCourts) }
    }
    func parts(_ x: Double, _ y: Double, _ origin: Origin, _ axes: String) -> CourtFrame {
      var frame = CourtFrame(.metres, origin, Axes(text: axes) ?? .asTheCourts)
      frame.scale = Scale(x: x, y: y) ?? .one
      return frame
    }
    let doubles = Court.width + 2 * CourtMark.alley
    return frames + [
      parts(Court.width, Court.length, .corner, "x,y"),
      parts(doubles, 2 * Court.length, .farLeft, "x,y"),
      parts(doubles, 2 * Court.length, .nearRight, "-x,-y"),
      parts(doubles, 2 * Court.length, .nearLeft, "x,-y"),
    ]
  }()
}
