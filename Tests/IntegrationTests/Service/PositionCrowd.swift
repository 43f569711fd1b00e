import Host

/// Many who see somebody on the court and tell the bridge, each on a connection of its own.
final class PositionCrowd {
  private let written = Locked(0)
  private var tickers: [Ticker] = []
  private let feeders: [SocketFeeder]

  /// How many share a thread.
  private static let perThread = 10

  /// - Parameters:
  ///   - directory: the bridge's runtime directory.
  ///   - rate: of each of them, a second.
  init(_ count: Int, rate: Int, in directory: String) throws {
    feeders = try (0..<count).map { _ in try SocketFeeder(directory + "/positions.sock") }
    for start in stride(from: 0, to: count, by: Self.perThread) {
      let some = feeders[start..<min(start + Self.perThread, count)]
      tickers.append(
        Ticker(rate: rate) { [written] seconds in
          let x = 4 + 3 * (seconds - seconds.rounded())
          let line = Array("{\"x\": \(x), \"y\": 9}\n".utf8)
          let count = some.count { $0.writeNow(line) }
          written.withLock { $0 += count }
        }
      )
    }
  }

  /// How many positions they have told.
  var count: Int { written.withLock(\.self) }

  func leave() {
    for ticker in tickers { ticker.cancel() }
    for feeder in feeders { feeder.close() }
  }
}
