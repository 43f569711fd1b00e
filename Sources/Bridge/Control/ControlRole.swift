/// What somebody on the control socket may do. Each role may do what those before it may; anybody
/// may stop the machine.
package enum ControlRole: String, Hashable, Sendable, CaseIterable, Codable {
  /// Nothing but stop.
  case none
  /// See.
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

extension ControlSettings {
  /// The group whose members have a role; nil where nobody needs one. Root and the service's own
  /// user are technicians.
  func group(for role: ControlRole) -> String? {
    switch role {
    case .none: nil
    case .reader: readerGroup
    case .operator: operatorGroup
    case .technician: technicianGroup
    }
  }
}
