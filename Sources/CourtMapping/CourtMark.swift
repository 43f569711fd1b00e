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

  private enum Column {
    case post(Side)
    case doubles(Side)
    case singles(Side)
    case centre
  }
  private enum Side { case left, right }

  /// Where it is on the ground; a post, its foot.
  package var point: CourtPoint {
    let (column, y): (Column, Double) =
      switch self {
      case .baselineLeft: (.singles(.left), Court.length)
      case .baselineCentre: (.centre, Court.length)
      case .baselineRight: (.singles(.right), Court.length)
      case .doublesBaselineLeft: (.doubles(.left), Court.length)
      case .doublesBaselineRight: (.doubles(.right), Court.length)
      case .singlesLeftService: (.singles(.left), Self.serviceLine)
      case .centreService: (.centre, Self.serviceLine)
      case .singlesRightService: (.singles(.right), Self.serviceLine)
      case .netLeft: (.singles(.left), 0)
      case .netCentre: (.centre, 0)
      case .netRight: (.singles(.right), 0)
      case .doublesNetLeft: (.doubles(.left), 0)
      case .doublesNetRight: (.doubles(.right), 0)
      case .netPostLeft: (.post(.left), 0)
      case .netPostRight: (.post(.right), 0)
      case .machineSinglesLeftService: (.singles(.left), -Self.serviceLine)
      case .machineCentreService: (.centre, -Self.serviceLine)
      case .machineSinglesRightService: (.singles(.right), -Self.serviceLine)
      case .machineBaselineLeft: (.singles(.left), -Court.length)
      case .machineBaselineCentre: (.centre, -Court.length)
      case .machineBaselineRight: (.singles(.right), -Court.length)
      case .machineDoublesBaselineLeft: (.doubles(.left), -Court.length)
      case .machineDoublesBaselineRight: (.doubles(.right), -Court.length)
      }
    return CourtPoint(Self.x(of: column), y)
  }

  private static func x(of column: Column) -> Double {
    let (outside, side): (Double, Side)
    switch column {
    case .centre: return Court.width / 2
    case .singles(let of): (outside, side) = (0, of)
    case .doubles(let of): (outside, side) = (alley, of)
    case .post(let of): (outside, side) = (alley + post, of)
    }
    return side == .left ? -outside : Court.width + outside
  }
}
