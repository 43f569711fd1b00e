/// What a client of the control socket may do. Each role includes the roles before it; every
/// client may stop the machine.
package enum ControlRole: String, Hashable, Sendable, CaseIterable, Codable {
  /// Nothing but stop.
  case none
  /// Read.
  case reader
  /// Arm, disarm, pause, resume, reset, load drills and levels, reload.
  case `operator`
  /// Send commands by hand.
  case technician
}

extension ControlRole: Comparable {
  package static func < (left: ControlRole, right: ControlRole) -> Bool {
    allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
  }
}
