import Host
import Programs
import Reports

/// Stops the machine at the press of a key, without a question, and keeps the outcome.
///
/// A stop that is under way stands for further presses until its outcome is known.
final class StopKey: Sendable {
  typealias Outcome = LiveViewState.StopOutcome

  private struct State {
    var outcome: Outcome?
    var task: Task<Void, Never>?
    var presses = 0
    /// Whether the service said so last.
    var wasStopped = false
  }

  private let perform: @Sendable () async throws -> StopReport
  private let state = Locked(State())

  init(_ perform: @escaping @Sendable () async throws -> StopReport) {
    self.perform = perform
  }

  /// Nil before the first press, and once the stop was released.
  var outcome: Outcome? { state.withLock(\.outcome) }

  /// The last press's number, if its outcome is known.
  var known: Int? {
    state.withLock { state in
      switch state.outcome {
      case .known, .failed: state.presses
      case .underWay, nil: nil
      }
    }
  }

  /// Forgets the outcome once the stop was released: it is out of date then.
  ///
  /// - Parameters:
  ///   - isStopped: what the service says.
  ///   - number: ``known`` before it was asked.
  func learn(isStopped: Bool, askedAfter number: Int?) {
    state.withLock { state in
      defer { state.wasStopped = isStopped }
      guard !isStopped, number == state.presses, case .known(let report) = state.outcome,
        // The service may not have had a stop that failed: the machine may move.
        report.failure == nil || state.wasStopped
      else { return }
      state.outcome = nil
    }
  }

  func press() {
    state.withLock { state in
      if case .underWay = state.outcome { return }
      state.outcome = .underWay
      state.presses += 1
      state.task = OneThread.task(priority: .urgent) { [self] in
        let outcome: Outcome
        do { outcome = .known(try await perform()) } catch { outcome = .failed(error) }
        self.state.withLock { $0.outcome = outcome }
      }
    }
  }

  /// Waits for the outcome of a stop that is under way.
  func settle() async -> Outcome? {
    await state.withLock(\.task)?.value
    return outcome
  }
}
