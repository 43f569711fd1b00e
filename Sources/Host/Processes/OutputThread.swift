/// The program ends, and the reader of standard output takes nothing.
package struct ReaderStuck: Error, Hashable {
  /// How many events were not written; 0 if not counted.
  package var missedEvents: Int

  package init(missedEvents: Int = 0) { self.missedEvents = missedEvents }
}

extension ReaderStuck: CustomStringConvertible {
  package var description: String {
    "standard output: the reader does not read; "
      + (missedEvents == 0
        ? "the last lines were" : "\(counted(missedEvents, "event")) and the summary were")
      + " not written"
  }
}

/// The thread that waits for the reader of standard output: a pipe may be full or a terminal
/// stopped with Ctrl-S, and balls and signals must go on meanwhile.
///
/// When the program ends, see ``hurry()``, it gives up a reader that takes nothing, and abandons
/// the thread.
package final class OutputThread: Sendable {
  package static let shared = OutputThread()
  /// How long the program waits at its end for a reader that takes nothing.
  package static let readerTimeout = Duration.seconds(1)
  /// The most writes that ``performLater(_:)`` queues.
  private static let mostLater = 16

  private struct State: Sendable {
    var lastNumber = 0
    /// The writes of ``perform(_:)`` that are queued or under way.
    var pending: [Int: FirstAnswer<Void>] = [:]
    var later = 0
    var isEnding = false
    /// How long the reader may still keep the program waiting once it ends.
    var timeLeft: Duration
    /// Since when the reader keeps us waiting.
    var waitingSince: ContinuousClock.Instant?
    var alarm: Task<Void, Never>?
    var isGivenUp = false
  }

  private let executor = LoopExecutor()
  private let state: Locked<State>

  /// - Parameter timeout: how long the reader may keep the program waiting at its end, in all.
  init(timeout: Duration = readerTimeout) {
    state = Locked(State(timeLeft: timeout))
  }

  /// Runs `body` on the thread, in order, and waits for it.
  ///
  /// - Throws: ``ReaderStuck`` if the reader has been given up, and what `body` throws.
  package func perform(_ body: @escaping @Sendable () throws -> Void) async throws {
    let answer = FirstAnswer<Void>()
    guard let number = begin(answer) else { throw ReaderStuck() }
    run(number, answer, body)
    try await answer.wait()
  }

  /// Runs `body` on the thread, in order, without waiting for it.
  ///
  /// - Returns: false if too many writes are queued.
  package func performLater(_ body: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = state.withLock { state in
      guard state.later < Self.mostLater else { return false }
      state.later += 1
      return true
    }
    guard isTaken else { return false }
    executor.perform { [state] in
      body()
      state.withLock { $0.later -= 1 }
    }
    return true
  }

  /// The program ends: from now on, all waiting for the reader takes at most the timeout in
  /// total. After that, queued and new writes fail with ``ReaderStuck``.
  package func hurry() {
    state.withLock { state in
      guard !state.isEnding else { return }
      state.isEnding = true
      if !state.pending.isEmpty { beginWaiting(&state) }
    }
  }

  private func run(
    _ number: Int,
    _ answer: FirstAnswer<Void>,
    _ body: @escaping @Sendable () throws -> Void
  ) {
    executor.perform { [self] in
      let result = Result { try body() }
      // Before the answer, which may lead to the next write.
      end(number)
      answer.give(result)
    }
  }

  /// - Returns: nil if the reader has been given up.
  private func begin(_ answer: FirstAnswer<Void>) -> Int? {
    state.withLock { state in
      guard !state.isGivenUp else { return nil }
      state.lastNumber += 1
      if state.isEnding, state.pending.isEmpty { beginWaiting(&state) }
      state.pending[state.lastNumber] = answer
      return state.lastNumber
    }
  }

  private func end(_ number: Int) {
    state.withLock { state in
      state.pending[number] = nil
      guard state.pending.isEmpty, let since = state.waitingSince else { return }
      state.timeLeft = max(.zero, state.timeLeft - since.duration(to: .now))
      state.waitingSince = nil
      state.alarm?.cancel()
    }
  }

  private func beginWaiting(_ state: inout State) {
    let now = ContinuousClock.now
    state.waitingSince = now
    state.alarm = OneThread.task { [timeLeft = state.timeLeft] in
      guard (try? await SystemClock().sleep(for: timeLeft)) != nil else { return }
      self.giveUp(waitingSince: now)
    }
  }

  private func giveUp(waitingSince since: ContinuousClock.Instant) {
    let pending = state.withLock { state in
      // The alarm may have gone off while the last write ended.
      guard state.waitingSince == since else { return [FirstAnswer<Void>]() }
      state.isGivenUp = true
      defer { state.pending = [:] }
      return Array(state.pending.values)
    }
    for answer in pending { answer.give(.failure(ReaderStuck())) }
  }
}
