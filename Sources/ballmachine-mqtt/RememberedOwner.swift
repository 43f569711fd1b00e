import Fleet
import Host

/// Whose court it was when this box was last on the broker. Kept: a broker that has lost that, as after a
/// power failure, must not give another box's court to the box that comes back first.
struct RememberedOwner: Sendable {
  private let court: String
  /// The files of a court that was this box's, and of one that was another's. Each has the court's name.
  private let own: StateFile
  private let refused: StateFile

  init(of court: String, in state: StateDirectory) {
    self.court = court
    own = StateFile("owned", in: state, mode: 0o600)
    refused = StateFile("refused", in: state, mode: 0o600)
  }

  /// In doubt it was another's.
  var owner: FormerOwner {
    do throws(StateFileError) {
      if try names(refused) { return .other }
      return try names(own) ? .this : .unknown
    } catch { return .other }
  }

  func receive(_ news: CourtPublisher.News) throws(StateFileError) {
    switch news {
    case .connected: try remember(.this)
    case .taken, .unreadable(_, isMended: false): try remember(.other)
    default: break
    }
  }

  /// Forgets it, whosever it was.
  ///
  /// - Returns: whether another box had it.
  func forget() throws(StateFileError) -> Bool {
    let former = owner
    try remember(.unknown)
    return former == .other
  }

  private func remember(_ owner: FormerOwner) throws(StateFileError) {
    guard owner != self.owner else { return }
    // The new one first: in doubt it was another's.
    switch owner {
    case .this: try own.write(Array(court.utf8))
    case .other: try refused.write(Array(court.utf8))
    case .unknown: break
    }
    if owner != .this { try own.remove() }
    if owner != .other { try refused.remove() }
  }

  private func names(_ file: StateFile) throws(StateFileError) -> Bool {
    try file.read().map { $0 == Array(court.utf8) } ?? false
  }
}
