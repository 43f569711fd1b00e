import Host

/// Which machines a running program owes a stop command: the one that it is linked with, and others.
package struct OwedStops: Hashable, Sendable {
  /// Those of programs before, and of machines that have given way to another one.
  private var others: [StopDebt]
  /// The present machine's, which ``StopDebts`` keeps.
  private var own: StopDebt?

  /// - Parameter inherited: what programs before this one have left.
  package init(inherited: [StopDebt] = []) {
    others = inherited
  }

  /// Whether a machine that is linked now first gets the stop command that it has been owed before.
  package mutating func takeDebt(to machine: RememberedMachine) -> Bool {
    let count = others.count
    others.removeAll { $0.isOwed(to: machine) }
    return others.count < count
  }

  /// Notes whether the machine of the last link is owed a stop command now.
  ///
  /// - Returns: what ``StopDebts`` is to keep of it; nil: that has not changed.
  package mutating func change(_ isOwed: Bool, to machine: RememberedMachine) -> Bool? {
    if let debt = own, !debt.isOwed(to: machine) {
      others.append(debt)
      own = nil
    }
    guard isOwed != (own != nil) else { return nil }
    own = isOwed ? StopDebt(to: machine, since: WallTime()) : nil
    return isOwed
  }
}
