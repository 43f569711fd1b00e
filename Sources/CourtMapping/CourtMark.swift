import CourtLogic

/// A point of the court's lines that a person can find in a picture.
///
/// Left and right are as the player sees them who faces the net. `machine-…` is the same point on the
/// machine's half: a camera may stand behind the machine and see both. Lines are measured to their
/// outer edges. Source: ITF, Rules of Tennis, rule 1.
package enum CourtMark: String, CaseIterable, Hashable, Sendable {
  case baselineLeft = "baseline-left"
  case baselineCentre = "baseline-centre"
  case baselineRight = "baseline-right"
  case doublesBaselineLeft = "doubles-baseline-left"
  case doublesBaselineRight = "doubles-baseline-right"
  case singlesLeftService = "singles-left-service"
  case centreService = "centre-service"
  case singlesRightService = "singles-right-service"
  case netLeft = "net-left"
  case netCentre = "net-centre"
  case netRight = "net-right"
  case doublesNetLeft = "doubles-net-left"
  case doublesNetRight = "doubles-net-right"
  case netPostLeft = "net-post-left"
  case netPostRight = "net-post-right"
  case machineSinglesLeftService = "machine-singles-left-service"
  case machineCentreService = "machine-centre-service"
  case machineSinglesRightService = "machine-singles-right-service"
  case machineBaselineLeft = "machine-baseline-left"
  case machineBaselineCentre = "machine-baseline-centre"
  case machineBaselineRight = "machine-baseline-right"
  case machineDoublesBaselineLeft = "machine-doubles-baseline-left"
  case machineDoublesBaselineRight = "machine-doubles-baseline-right"

  /// From the net to a service line, in metres.
  package static let serviceLine = 6.40
  /// How far a doubles sideline is outside the singles one, in metres.
  package static let alley = 1.37
  /// How far a post's middle is outside the doubles sideline, in metres.
  package static let post = 0.914

  /// Where it is on the ground; a post, its foot. The name says it.
  package var point: CourtPoint {
    let words = rawValue.split(separator: "-")
    func has(_ word: Substring) -> Bool { words.contains(word) }
    let outside = has("post") ? Self.alley + Self.post : has("doubles") ? Self.alley : 0
    let x = has("left") ? -outside : has("right") ? Court.width + outside : Court.width / 2
    let y = has("baseline") ? Court.length : has("service") ? Self.serviceLine : 0
    return CourtPoint(x, has("machine") ? -y : y)
  }
}
