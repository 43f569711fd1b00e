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

extension StopOutcome: CustomStringConvertible {
  package var description: String {
    switch self {
    case .confirmed: "the machine has acknowledged the stop command"
    case .unconfirmed:
      "the stop command was written, but not acknowledged: look at the machine, and use its switch"
    case .unknown(let reason):
      "it is NOT KNOWN whether the stop command reached the machine (\(reason)): look at the machine,"
        + " and use its switch"
    case .notDelivered(let reason):
      "the stop command did NOT reach the machine (\(reason)): use its switch"
    case .contested(let reason):
      "the machine has acknowledged the stop command, but balls may follow: \(reason);"
        + " use the machine's switch if it moves"
    case .alreadyStopped: "it was stopped already"
    }
  }
}
