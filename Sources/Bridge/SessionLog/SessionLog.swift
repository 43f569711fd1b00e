package import CourtLogic
import Glibc
import Threads

/// The record of a session: positions, decisions, commands and their outcomes, the link and safety,
/// a line of JSON each, in files that `replay` plays.
///
/// Whoever has something to tell never waits: it is queued in bounded memory, and a thread of the
/// log's own writes it, balls and safety at once, the rest within a second, or sooner when it comes
/// fast. Nothing that is wrong with the disk stops the bridge.
///
/// **What survives.** A killed process loses what was told in its last second, of balls and safety
/// what was told in its last moment; the last line may be torn. A power failure loses at most the
/// last 5 s, and the rest is whole but for the last line.
///
/// Each line has `t`, in seconds on the service's clock, which never jumps: replays and names rest
/// on it and on the session's number. The clock on the wall is told beside it, and when it is set,
/// a record `clock` says so; positions have only `t`.
package final class SessionLog: Sendable {
  private struct State: Sendable {
    var allowance = FeedAllowance()
    var queue = SessionQueue()
    var isDueSoon = false
    var isDueNow = false
    /// Whether the disk has asked for a turn even if nothing happens.
    var isAwaited = false
  }

  private let state = Locked(State())
  /// Touched on `disk` alone: nobody waits for its lock.
  private let recorder: Locked<SessionRecorder>
  private let disk = LoopExecutor()
  private let batching: Duration
  private let clock: any MonotonicClock
  private let wallClock: @Sendable () -> Duration
  private let warn: @Sendable (String) -> Void

  /// - Parameters:
  ///   - state: where the logs are, unless the options name a directory.
  ///   - program: the name and version of who writes, such as `ballmachine 0.1.0`.
  ///   - clock: the service's; it runs at the world's speed.
  ///   - warn: is told, in a sentence without a full stop, what a technician should know.
  package convenience init(
    _ options: LogOptions,
    in state: StateDirectory,
    program: String,
    clock: any MonotonicClock,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.init(
      options,
      in: options.directory.map(SessionDirectory.init(path:)) ?? SessionDirectory(in: state),
      program: program,
      clock: clock,
      wallClock: { .now },
      warn: warn
    )
  }

  /// - Parameters:
  ///   - wallClock: what the clock on the wall shows, since 1970.
  ///   - batching: how long positions and talk may wait for company.
  ///   - create: makes a file; by default in the directory.
  init(
    _ options: LogOptions,
    in directory: SessionDirectory,
    program: String,
    clock: any MonotonicClock,
    wallClock: @escaping @Sendable () -> Duration,
    batching: Duration = .seconds(1),
    warn: @escaping @Sendable (String) -> Void,
    create: SessionFileOpener.Create? = nil
  ) {
    self.clock = clock
    self.wallClock = wallClock
    self.batching = batching
    self.warn = warn
    recorder = Locked(
      SessionRecorder(
        options,
        in: directory,
        at: clock.now,
        wallClock: wallClock(),
        program: program,
        create: create
      )
    )
  }

  // MARK: What happens

  /// Takes a record.
  package func take(_ record: EventRecord) {
    switch record.event {
    case .positions(let event):
      if case .position = event { return take(event) }
      enqueue(.record(record), .talk) { $0.admits(event, at: record.instant) }
    default: enqueue(.record(record), .deed)
    }
  }

  /// Takes a position; what else a feed tells comes as a record.
  package func take(_ event: PositionEvent) {
    guard case .position(let position, let source, let instant) = event else { return }
    enqueue(.position(position, from: source, at: instant), .position) {
      $0.admits(source, at: instant)
    }
  }

  /// Takes what decisions are made with from now on, for replays: the session's first court, and
  /// each one after it.
  package func take(_ court: RecordedCourt) {
    enqueue(.court(court, at: clock.now), .deed)
  }

  /// - Parameter isAllowed: whether it is to be recorded; asked under the lock.
  private func enqueue(
    _ entry: SessionEntry,
    _ kind: SessionQueue.Kind,
    isAllowed: (inout FeedAllowance) -> Bool = { _ in true }
  ) {
    let due = state.withLock { state -> (any WritableKeyPath<State, Bool> & Sendable)? in
      guard isAllowed(&state.allowance), state.queue.append(entry, kind) else { return nil }
      // What comes fast can't wait for company: soon there would be no room.
      let isUrgent = kind == .deed || state.queue.isHalfFull(of: kind)
      let due: any WritableKeyPath<State, Bool> & Sendable = isUrgent ? \.isDueNow : \.isDueSoon
      guard !state[keyPath: due] else { return nil }
      state[keyPath: due] = true
      return due
    }
    guard let due else { return }
    if due == \State.isDueNow {
      disk.perform { self.write(due) }
    } else {
      disk.perform(after: batching) { self.write(due) }
    }
  }

  // MARK: The disk

  /// Writes everything that has been told, and lets the disk have it. After that nothing more may
  /// be told.
  package func close() async {
    disk.perform { self.write(isLast: true) }
    await disk.settle()
  }

  /// Returns when the disk has done what it was to do at once.
  func settle() async {
    await disk.settle()
  }

  private func write(_ due: any WritableKeyPath<State, Bool> & Sendable) {
    state.withLock { $0[keyPath: due] = false }
    write(isLast: false)
  }

  private func write(isLast: Bool) {
    let outcomes = recorder.withLock { recorder in
      // First what has been stuck: while it is, the rest stays where it is bounded.
      let stuck = recorder.isStuck ? recorder.write(at: clock.now, isLast: isLast) : nil
      guard !recorder.isStuck else { return [stuck].compactMap(\.self) }
      let now = clock.now
      let (waiting, refused) = state.withLock { state in
        (state.queue.drain(), state.allowance.takeRefused(at: now, isLast: isLast))
      }
      recorder.take(
        waiting.entries,
        losses: waiting.losses,
        refused: refused,
        at: now,
        wallClock: wallClock()
      )
      return [stuck, recorder.write(at: now, isLast: isLast)].compactMap(\.self)
    }
    for warning in outcomes.flatMap(\.warnings) { warn(warning) }
    if let next = outcomes.last?.next, !isLast { wake(at: next) }
  }

  private func wake(at instant: MonotonicInstant) {
    let isNew = state.withLock { state in
      defer { state.isAwaited = true }
      return !state.isAwaited
    }
    guard isNew else { return }
    let delay = max(clock.now.duration(to: instant), .zero)
    disk.perform(after: delay) { self.write(\.isAwaited) }
  }
}

extension AsyncSequence where Self: Sendable, Element == PositionEvent, Failure == Never {
  /// The same positions, told to the log as they pass by.
  package func recorded(
    in log: SessionLog
  ) -> some AsyncSequence<PositionEvent, Never> & Sendable {
    map { event in
      log.take(event)
      return event
    }
  }
}

extension Duration {
  /// What the clock on the wall shows, since 1970.
  fileprivate static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
