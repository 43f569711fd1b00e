package import Clocks
package import ControlProtocol
package import CourtLogic
import Glibc
package import Host
package import Positions

/// The record of a run of the service: positions, decisions, commands and their outcomes, the link
/// and safety, a line of JSON each, in files that `replay` plays.
///
/// Callers never wait: records are queued in bounded memory, and a thread of the log's own writes
/// balls and safety at once, the rest within a second, or sooner when much comes. A faulty disk
/// never stops the bridge.
///
/// **What survives.** A killed process loses the records of its last second, but of balls and
/// safety only those of its last moment; the last line may be torn. A power failure loses at most
/// the last 5 s, and the rest is whole except the last line.
///
/// Each line has `t`, in seconds on the service's clock, which never jumps: replays and names
/// depend on it and on the run's number. The wall clock's time stands beside it, and a record
/// `clock` says when that clock was set; positions have only `t`.
package final class RunLog: Sendable {
  private struct State: Sendable {
    var allowance = FeedAllowance()
    var queue = LogQueue()
    var isDueSoon = false
    var isDueNow = false
    /// Whether the disk has asked for a turn even if nothing happens.
    var isAwaited = false
  }

  private let state = Locked(State())
  /// Used only on `disk`, so that its lock is always free.
  private let recorder: Locked<LogRecorder>
  private let disk = LoopExecutor()
  private let batching: Duration
  private let clock: any MonotonicClock
  private let wallClock: @Sendable () -> Duration
  private let warn: @Sendable (String) -> Void

  /// - Parameters:
  ///   - state: where the logs are, unless the options name a directory.
  ///   - program: the writing program's name and version, such as `ballmachine 0.1.0`.
  ///   - clock: the service's; it runs at the speed of real time.
  ///   - warn: takes a warning for technicians, a sentence without a full stop.
  package convenience init(
    _ options: LogSettings,
    in state: StateDirectory,
    program: String,
    clock: any MonotonicClock,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.init(
      options,
      in: options.directory.map(LogDirectory.init(path:)) ?? LogDirectory(in: state),
      program: program,
      clock: clock,
      wallClock: { .nanoseconds(nanoseconds(on: CLOCK_REALTIME)) },
      warn: warn
    )
  }

  /// The log of a simulation.
  ///
  /// - Parameter clock: may be faster than real time; the log's wall clock is as fast.
  package convenience init(
    ofSimulationIn directory: LogDirectory,
    program: String,
    clock: any MonotonicClock,
    warn: @escaping @Sendable (String) -> Void
  ) {
    var options = LogSettings()
    options.totalSize = 20_000_000
    let offset = .nanoseconds(nanoseconds(on: CLOCK_REALTIME)) - clock.now.sinceStart
    self.init(
      options,
      in: directory,
      program: program,
      clock: clock,
      wallClock: { offset + clock.now.sinceStart },
      warn: warn
    )
  }

  /// - Parameters:
  ///   - wallClock: the wall clock's time since 1970.
  ///   - batching: how long positions and talk may wait, to be written together.
  ///   - create: makes a file; by default in the directory.
  init(
    _ options: LogSettings,
    in directory: LogDirectory,
    program: String,
    clock: any MonotonicClock,
    wallClock: @escaping @Sendable () -> Duration,
    batching: Duration = .seconds(1),
    warn: @escaping @Sendable (String) -> Void,
    create: LogFileOpener.Create? = nil
  ) {
    self.clock = clock
    self.wallClock = wallClock
    self.batching = batching
    self.warn = warn
    recorder = Locked(
      LogRecorder(
        options,
        in: directory,
        at: clock.now,
        wallClock: wallClock(),
        program: program,
        create: create
      )
    )
  }

  // MARK: Records

  /// Has a record written.
  package func record(_ record: EventRecord) {
    guard case .feed(let feed) = record.event else { return enqueue(.record(record), .deed) }
    let instant = MonotonicInstant(sinceStart: .seconds(record.t))
    enqueue(.record(record), .talk) { $0.admitsTalk(of: feed.connection, at: instant) }
  }

  /// Has a position written; a feed's other events come as records.
  package func record(_ event: PositionEvent) {
    guard case .position(let position, let source, let instant, _) = event else { return }
    enqueue(.position(position, from: source, at: instant), .position) {
      $0.admits(source, at: instant)
    }
  }

  /// Has the court written that decisions use from now on, for replays: the run's first one, and
  /// each one after it.
  package func record(_ court: LogicManager.Settings) {
    enqueue(.court(court, at: clock.now), .deed)
  }

  /// - Parameter isAllowed: whether it is to be recorded; asked under the lock.
  private func enqueue(
    _ entry: LogEntry,
    _ kind: LogQueue.Kind,
    isAllowed: (inout FeedAllowance) -> Bool = { _ in true }
  ) {
    let due = state.withLock { state -> (any WritableKeyPath<State, Bool> & Sendable)? in
      guard isAllowed(&state.allowance), state.queue.append(entry, kind) else { return nil }
      // A half-full queue is written now: soon there would be no room.
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

  /// Writes everything that was taken, and syncs it to the disk. After that nothing more may be
  /// taken.
  package func close() async {
    disk.perform { self.write(isLast: true) }
    await disk.settle()
  }

  /// Returns when the disk's urgent work is done.
  func settle() async {
    await disk.settle()
  }

  private func write(_ due: any WritableKeyPath<State, Bool> & Sendable) {
    state.withLock { $0[keyPath: due] = false }
    write(isLast: false)
  }

  private func write(isLast: Bool) {
    let outcomes = recorder.withLock { recorder in
      // First the stuck records: until they are written, the rest stays in its bounded queue.
      let stuck = recorder.isStuck ? recorder.write(at: clock.now, isLast: isLast) : nil
      guard !recorder.isStuck else { return [stuck].compactMap(\.self) }
      let now = clock.now
      let (waiting, refused) = state.withLock { state in
        (state.queue.drain(), state.allowance.takeRefused(at: now, isLast: isLast))
      }
      recorder.record(
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
  /// The positions, recorded in the log, if there is one, as they pass.
  package func recorded(
    in log: RunLog?
  ) -> some AsyncSequence<PositionEvent, Never> & Sendable {
    map { event in
      log?.record(event)
      return event
    }
  }
}
