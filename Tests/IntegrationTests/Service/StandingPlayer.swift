import Host

/// A player who stands on one spot and is seen 60 times a second by something that comes back to the
/// bridge's socket whenever there is one, as a detector does whose bridge is restarted.
final class StandingPlayer {
  private struct State {
    var path: String
    var feeder: SocketFeeder?
    var line = ""

    mutating func tick() {
      if feeder == nil { feeder = try? SocketFeeder(path) }
      if feeder?.writeNow(line) == false { feeder = nil }
    }
  }

  private let state: Locked<State>
  private let ticker: Ticker

  /// - Parameter directory: the bridge's runtime directory.
  init(in directory: String) {
    let state = Locked(State(path: directory + "/positions.sock"))
    self.state = state
    ticker = Ticker(rate: 60) { _ in state.withLock { $0.tick() } }
  }

  /// Goes to the middle of a zone such as `1-2`.
  func stand(in zone: String) {
    let (row, column) = (zone.first?.wholeNumberValue ?? 0, zone.last?.wholeNumberValue ?? 0)
    let x = (Double(column) + 0.5) * 2.0575
    let y = (Double(row) + 0.5) * 2.97125
    state.withLock { $0.line = "{\"x\": \(x), \"y\": \(y)}\n" }
  }

  /// Is seen once more, and then says something on the same connection, which is known to the bridge
  /// after all that was seen before.
  ///
  /// - Returns: whether there was a connection.
  func isSeen(thenSaying text: String) -> Bool {
    state.withLock { $0.feeder?.writeNow($0.line + text + "\n") ?? false }
  }

  func leave() {
    ticker.cancel()
    state.withLock { $0.feeder?.close() }
  }
}
