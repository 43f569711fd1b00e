import Clocks

/// The stop commands that the machine is to get, and whether it has the last one.
struct StopOrders: Hashable, Sendable {
  /// When a machine that balls may have left for gets its stop command.
  enum Debt: Hashable, Sendable {
    case none
    /// When nothing feeds it.
    case afterFeeding
    /// When it has thrown the last ball. Nothing feeds it.
    case afterLastBall
  }

  var debt = Debt.none
  /// Whether one is to be written as soon as none is on its way.
  private(set) var isWanted = false
  private(set) var isOnItsWay = false
  private(set) var lastEnd: MonotonicInstant?
  /// Whether the machine may not have the last one: it has not acknowledged it.
  private(set) var isDoubtful = false
  /// Whether it is the last one of this program, which waits for its outcome.
  private(set) var isLast = false
  /// Whether a person has reset a stop before the machine had confirmed it.
  var isResetEarly = false
  /// Whether one was meant for an earlier machine: this one's acknowledgement does not confirm it.
  var isForEarlierMachine = false

  /// Whether a ball would overtake one.
  var areBallsHeld: Bool { isOnItsWay || isWanted }
  /// Whether the machine is still to get one, whatever its debt.
  var areOpen: Bool { isWanted || isOnItsWay || isDoubtful }

  mutating func want() { isWanted = true }

  /// A machine is linked. A radio may have been out of reach when BlueZ took the last command.
  mutating func linked() {
    if isDoubtful { isWanted = true }
  }

  /// Whether one is to be written now; then it is on its way.
  mutating func take() -> Bool {
    // One under way is enough: no ball leaves before it ends.
    defer { isWanted = false }
    guard isWanted, !isOnItsWay else { return false }
    isOnItsWay = true
    return true
  }

  /// The last one is written now, if one is owed in any way.
  mutating func takeLast(isOwed: Bool) -> Bool {
    isOnItsWay = areOpen || isOwed
    isLast = isOnItsWay
    isWanted = false
    debt = .none
    return isOnItsWay
  }

  /// The outcome of the one on its way is known.
  ///
  /// - Returns: whether it confirms a command that was for an earlier machine.
  mutating func ended(_ outcome: StopOutcome, at now: MonotonicInstant) -> Bool {
    isOnItsWay = false
    lastEnd = now
    isDoubtful =
      switch outcome {
      case .confirmed, .alreadyStopped: false
      case .unconfirmed, .unknown, .contested, .notDelivered: true
      }
    if !isDoubtful { isResetEarly = false }
    return isForEarlierMachine && outcome == .confirmed
  }
}
