/// Which machines a running program owes a stop command: the one that it is linked with, and others.
package struct OwedStops: Hashable, Sendable {
  /// Those of programs before.
  private var inherited: [StopDebt]
  /// The machines of this program that have given way to another one.
  private var others: [RememberedMachine] = []
  /// The present one, which ``StopDebts`` keeps; nil: it is owed nothing.
  private var own: RememberedMachine?

  /// - Parameter inherited: what programs before this one have left.
  package init(inherited: [StopDebt] = []) {
    self.inherited = inherited
  }

  /// Whether a machine that is linked now first gets the stop command that it has been owed before.
  package mutating func takeDebt(to machine: RememberedMachine) -> Bool {
    let count = inherited.count + others.count
    inherited.removeAll { $0.isOwed(to: machine) }
    others.removeAll { $0.mayBe(machine) }
    return inherited.count + others.count < count
  }

  /// Notes whether the machine of the last link is owed a stop command now.
  ///
  /// - Returns: what ``StopDebts`` is to keep of it; nil: that has not changed.
  package mutating func change(_ isOwed: Bool, to machine: RememberedMachine) -> Bool? {
    if let creditor = own, !creditor.mayBe(machine) {
      others.append(creditor)
      own = nil
    }
    guard isOwed != (own != nil) else { return nil }
    own = isOwed ? machine : nil
    return isOwed
  }
}
