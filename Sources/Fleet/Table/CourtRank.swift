import ControlProtocol
package import Host

/// How soon a person in the office should look at a court: the first is the worst.
///
/// A court keeps its rank while it plays, so that rows don't move at each ball, rest or countdown.
package enum CourtRank: Int, Hashable, Comparable, Sendable, CaseIterable {
  /// A person wants a real machine to stand still, and it has not got the stop command.
  case stopNotDelivered
  /// The same, and it is not known whether it has; also a stop that doesn't end.
  case stopUnconfirmed
  /// The box is offline, and its real machine may still throw balls. The office can't see or stop it.
  case lost
  /// Balls of a real machine fly, or will without a person, and something is wrong.
  case liveTroubled
  /// Balls of a real machine fly, or will without a person: a countdown, a rest between two sets.
  case live
  /// Something is wrong where no ball of a real machine can fly, or the state is not known. A latched stop
  /// that the machine has is here: a person has to release it.
  case troubled
  /// Only a simulated machine feeds.
  case liveSimulated
  /// Connected, and nothing to look at.
  case quiet
  /// The box is gone, and the broker has nothing of what it did.
  case offUnknown
  /// The box is gone, and no ball could fly then: switched off after its session.
  case off

  /// So long a stop may be on its way: longer than the bridge tries.
  package static let longestStop = Duration.seconds(15)

  package static func < (left: CourtRank, right: CourtRank) -> Bool {
    left.rawValue < right.rawValue
  }

  /// - Parameter now: a stop that is on its way is another's concern after ``longestStop``.
  package init(_ row: CourtRow, at now: WallTime) {
    guard let state = row.state else {
      self = row.isOnline == false ? .offUnknown : .troubled
      return
    }
    guard row.isOnline == true else {
      self = state.mayThrow ? .lost : row.isOnline == false ? .off : .troubled
      return
    }
    switch state.stopMeaning {
    case .stopNotDelivered where state.isReal: self = .stopNotDelivered
    case .stopUnconfirmed where state.isReal: self = .stopUnconfirmed
    case .stopping where state.isReal:
      let began = row.stateArrived ?? now
      self = now.duration(since: began) > Self.longestStop ? .stopUnconfirmed : .live
    case _ where state.mayThrow: self = row.needsAttention ? .liveTroubled : .live
    case _ where row.needsAttention: self = .troubled
    case _ where state.isPlaying: self = .liveSimulated
    default: self = .quiet
    }
  }
}
