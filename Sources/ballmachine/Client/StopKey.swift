import Host
import Programs

/// Stops the machine at the press of a key, without a question, and keeps the outcome.
///
/// A stop that is under way stands for further presses until its outcome is known.
final class StopKey: Sendable {
  /// What is shown of the last stop.
  enum Outcome: Sendable {
    case underWay
    case known(StopReport)
    case failed(any Error)
  }

  private let perform: @Sendable () async throws -> StopReport
  private let state = Locked<(outcome: Outcome?, task: Task<Void, Never>?)>((nil, nil))

  init(_ perform: @escaping @Sendable () async throws -> StopReport) {
    self.perform = perform
  }

  /// Nil before the first press.
  var outcome: Outcome? { state.withLock(\.outcome) }

  func press() {
    state.withLock { state in
      if case .underWay = state.outcome { return }
      state.outcome = .underWay
      state.task = Task(priority: .urgent) { [self] in
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
