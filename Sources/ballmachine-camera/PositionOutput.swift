package import Camera
import CourtMapping
import Host
import Programs

/// Prints the positions of a run with --json.
final class PositionOutput: Sendable {
  private struct State {
    /// The picture that the printed positions are in.
    var picture: SizeLine?
    var hasFallenBehind = false
    var failure: (any Error)?
  }

  /// Yields whenever a line could not be written.
  let failures: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let output: Output
  private let fellBehind: @Sendable () -> Void
  private let state = Locked(State())

  /// - Parameter fellBehind: called once, when a position finds no room for the first time.
  init(_ output: Output, fellBehind: @escaping @Sendable () -> Void) {
    self.output = output
    self.fellBehind = fellBehind
    (failures, continuation) = AsyncStream.makeStream()
  }

  var delivery: PointDelivery {
    PointDelivery(take: { self.take($0) }, waitForRoom: { try? await self.output.flush() })
  }

  /// Returns once all positions are written.
  ///
  /// - Throws: the error of the first line that could not be written.
  func flush() async throws {
    try await output.flush()
    if let failure = state.withLock(\.failure) { throw failure }
  }

  private func take(_ foot: FootPoint) -> Bool {
    let (isTaken, isNews) = state.withLock { state in
      let hasPicture = foot.picture == state.picture || write(foot.picture)
      if hasPicture { state.picture = foot.picture }
      let isTaken = hasPicture && write(foot)
      let isNews = !isTaken && !state.hasFallenBehind
      if isNews { state.hasFallenBehind = true }
      return (isTaken, isNews)
    }
    if isNews { fellBehind() }
    return isTaken
  }

  private func write(_ report: some Report) -> Bool {
    output.writeLater(report) { [state, continuation] error in
      state.withLock { $0.failure = $0.failure ?? error }
      continuation.yield()
    }
  }
}

extension SizeLine: Report {
  package var text: String { "\(size)" }
}

extension FootPoint: Report {
  package var text: String { "u \(point.u) v \(point.v)" }
}
