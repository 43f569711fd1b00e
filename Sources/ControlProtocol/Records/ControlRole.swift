/// What a client of the control socket may do. Each role includes the roles before it; every
/// client may stop the machine.
package enum ControlRole: String, Hashable, Sendable, CaseIterable, Codable {
  /// Nothing but stop.
  case none
  /// Read.
  case reader
  /// Arm, disarm, pause, resume, reset, reload.
  case `operator`
  /// Send commands by hand.
  case technician
}

extension ControlRole: Comparable {
  package static func < (left: ControlRole, right: ControlRole) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .none: 0
    case .reader: 1
    case .operator: 2
    case .technician: 3
    }
  }
}
