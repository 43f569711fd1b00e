import Host

/// One ball's permission to leave, which the link checks at the moment when it would write.
///
/// Two actors lie between the decision and that moment: a stop in between withdraws the permit.
final class BallPermit: Sendable {
  private let withdrawn = Locked(false)

  var isValid: Bool { withdrawn.withLock { !$0 } }

  func withdraw() { withdrawn.withLock { $0 = true } }
}
