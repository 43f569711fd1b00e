import Threads

/// One ball's leave to go, looked at by the link at the very moment at which it would write.
///
/// Between the decision and that moment lie two actors: a stop that comes in between withdraws it.
final class BallPermit: Sendable {
  private let withdrawn = Locked(false)

  var isValid: Bool { withdrawn.withLock { !$0 } }

  func withdraw() { withdrawn.withLock { $0 = true } }
}
