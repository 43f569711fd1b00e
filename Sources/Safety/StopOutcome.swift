/// The outcome of the machine's stop command. It is not verified that a real machine stops on it.
package enum StopOutcome: Hashable, Sendable {
  /// The machine acknowledged it.
  case confirmed
  /// It was written, but not acknowledged.
  case unconfirmed
  /// It may have been written, but the last try failed.
  case unknown(reason: String)
  case notDelivered(reason: String)
  /// The machine acknowledged it, but another process has the machine, and may send balls again: which one,
  /// and what to do.
  case contested(reason: String)
  /// It was confirmed before, and no ball has left since.
  case alreadyStopped

  /// Another machine than the one that was meant has acknowledged it.
  static let ofAnotherMachine = Self.notDelivered(
    reason: "another machine is linked now; the one before has not acknowledged it"
  )

  /// One word, for machines.
  package var word: String {
    switch self {
    case .confirmed: "confirmed"
    case .unconfirmed, .unknown, .contested: "unconfirmed"
    case .notDelivered: "notDelivered"
    case .alreadyStopped: "alreadyStopped"
    }
  }
}
