import Fleet
import Host

/// The court that another box had when this one was last on the broker. Kept: a broker that has lost whose
/// court it is, as after a power failure, must not give it to the box that comes back first.
struct RefusedCourt: Sendable {
  private let court: String
  private let file: StateFile

  init(_ court: String, in state: StateDirectory) {
    self.court = court
    file = StateFile("refused", in: state, mode: 0o600)
  }

  /// In doubt it is.
  var isKept: Bool {
    do { return try file.read().map { $0 == Array(court.utf8) } ?? false } catch { return true }
  }

  func receive(_ news: CourtPublisher.News) throws(StateFileError) {
    switch news {
    case .taken where !isKept: try file.write(Array(court.utf8))
    case .connected where isKept: try file.remove()
    default: break
    }
  }
}
