/// Tries again later to write what a disk did not take.
package final class WriteRetry: Sendable {
  private let executor: LoopExecutor
  private let pause: Duration
  private let isComing = Locked(false)

  /// - Parameters:
  ///   - executor: where the writing is done.
  ///   - pause: from a failure to the next try.
  package init(on executor: LoopExecutor, after pause: Duration) {
    self.executor = executor
    self.pause = pause
  }

  package static let pause = Duration.seconds(10)

  /// Calls `write` after the pause, on the executor: once, however often this is called meanwhile.
  package func schedule(_ write: @escaping @Sendable () -> Void) {
    let wasComing = isComing.withLock { isComing in
      defer { isComing = true }
      return isComing
    }
    guard !wasComing else { return }
    executor.perform(after: pause) { [isComing] in
      isComing.withLock { $0 = false }
      write()
    }
  }
}
