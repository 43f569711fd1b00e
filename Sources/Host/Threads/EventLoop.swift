// Which C module has `timespec` depends on the one that the compiler loads first: import all.
import CLinux
import CSystemd
import Glibc

/// A thread's event loop: runs jobs in order, timers when due, and handlers of files that are
/// ready. In between it sleeps in `poll`, and only work wakes it.
///
/// Jobs of tasks with ``_Concurrency/TaskPriority/urgent`` overtake all other work that waits, and
/// urgent files are looked at before each job.
final class EventLoop: Sendable {
  /// A closure, or a Swift job of an executor that uses this loop.
  enum Work: Sendable {
    /// The closure comes first: in the other order Swift would mark the cases in a job's pointer, and no
    /// leak checker would see the tasks that wait here.
    case call(@Sendable () -> Void, isUrgent: Bool = false)
    /// At least one of the executors is given: an actor's, and the one that the program's tasks prefer.
    /// With both, such a task goes from actor to actor of one executor without a turn of the loop.
    case job(UnownedJob, isolatedTo: UnownedSerialExecutor?, of: UnownedTaskExecutor?)

    fileprivate var isUrgent: Bool {
      switch self {
      case .call(_, let isUrgent): isUrgent
      case .job(let job, _, _): job.priority.rawValue >= TaskPriority.urgent.rawValue
      }
    }

    fileprivate func perform() {
      switch self {
      case .call(let body, _): body()
      case .job(let job, let actor?, let tasks?):
        job.runSynchronously(isolatedTo: actor, taskExecutor: tasks)
      case .job(let job, let actor?, nil): job.runSynchronously(on: actor)
      case .job(let job, nil, let tasks?): job.runSynchronously(on: tasks)
      case .job(_, nil, nil): preconditionFailure("a job without an executor")
      }
    }
  }

  private struct State: Sendable {
    /// To be done now, each in order, and the urgent work first.
    var urgentWork: [Work] = []
    var work: [Work] = []
    var timers = TimerList<Work>()
    /// Whether new work must wake the thread.
    var isAsleep = false
    var isEnding = false
    var thread: pthread_t?
    var watches: [Int: Watch] = [:]
    var lastWatch = 0
    /// Counts changes of the watches: the thread polls its own copy.
    var generation = 0
  }

  fileprivate struct Watch: Sendable {
    var number: Int
    var descriptor: Int32
    var events: Int16
    var isUrgent: Bool
    var handler: @Sendable () -> Void
  }

  private let state = Locked(State())
  /// Writing to it wakes the thread.
  private let bell: Int32
  /// Wakes the thread exactly when a timer is due: `poll`'s own timeout is late by the thread's
  /// slack, and counts in milliseconds.
  private let timer: Int32

  init() {
    bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    timer = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    guard bell >= 0, timer >= 0 else { endProgram(lacking: "open files", errno) }
  }

  deinit {
    close(bell)
    close(timer)
  }

  /// Whether this is the loop's thread.
  var isCurrent: Bool {
    let current = pthread_self()
    return state.withLock { $0.thread.map { pthread_equal($0, current) != 0 } ?? false }
  }

  /// How much work waits for the thread; for tests.
  var waiting: Int { state.withLock { $0.urgentWork.count + $0.work.count } }

  /// When the next timer is due, in nanoseconds of `CLOCK_BOOTTIME`; for tests.
  var nextTimer: Int64? { state.withLock { $0.timers.next } }

  // MARK: From any thread

  func perform(_ work: Work) {
    change { state in
      if work.isUrgent { state.urgentWork.append(work) } else { state.work.append(work) }
    }
  }

  /// - Parameter delay: on `CLOCK_BOOTTIME`; a negative one is due at once.
  func perform(_ work: Work, after delay: Duration) {
    let (deadline, overflows) = Self.now.addingReportingOverflow(delay.wholeNanoseconds)
    perform(work, at: overflows ? .max : deadline)
  }

  /// - Parameter deadline: in nanoseconds of `CLOCK_BOOTTIME`.
  /// - Returns: the timer, for ``drop(_:)``.
  @discardableResult
  func perform(_ work: Work, at deadline: Int64) -> TimerList<Work>.Number {
    change { $0.timers.add(work, at: deadline) }
  }

  /// Takes back what is not due yet: nothing wakes for it.
  func drop(_ timer: TimerList<Work>.Number) {
    state.withLock { $0.timers.remove(timer) }
  }

  /// The thread ends after its present work; timers that are not due are dropped.
  func end() {
    change { $0.isEnding = true }
  }

  func watch(
    _ descriptor: Int32,
    isUrgent: Bool,
    _ handler: @escaping @Sendable () -> Void
  ) -> Int {
    change { state in
      state.lastWatch += 1
      state.watches[state.lastWatch] = Watch(
        number: state.lastWatch,
        descriptor: descriptor,
        events: Int16(POLLIN),
        isUrgent: isUrgent,
        handler: handler
      )
      state.generation += 1
      return state.lastWatch
    }
  }

  func setWriting(_ isWanted: Bool, watch: Int) {
    let events = Int16(isWanted ? POLLIN | POLLOUT : POLLIN)
    change { state in
      guard state.watches[watch]?.events != events else { return }
      state.watches[watch]?.events = events
      state.generation += 1
    }
  }

  func unwatch(_ watch: Int) {
    change { state in
      state.watches[watch] = nil
      state.generation += 1
    }
  }

  @discardableResult
  private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, wakes) = state.withLock { state in
      defer { state.isAsleep = false }
      return (body(&state), state.isAsleep)
    }
    if wakes {
      var one: UInt64 = 1
      _ = write(bell, &one, MemoryLayout.size(ofValue: one))
    }
    return result
  }

  // MARK: The thread

  /// How much work is done before files are looked at again.
  private static let workPerPoll = 8
  /// How often urgent files that are ready again are handled before the next job: a new client's
  /// bytes may come with it.
  private static let looksPerJob = 4
  /// How much urgent work is done before other work has a turn: far more than a stop takes, but
  /// endless stops must not keep the rest waiting for ever.
  private static let longestUrgency = 1_024

  /// Makes the calling thread the loop's, until ``end()``.
  func run() {
    state.withLock { $0.thread = pthread_self() }
    var files = PolledFiles(bell: bell, timer: timer)
    // The last comes first.
    var batch: [Work] = []
    var urgency = 0
    while true {
      let (isIdle, mayEnd, timer) = state.withLock { state in
        if state.timers.next != nil { state.timers.move(dueAt: Self.now, to: &state.work) }
        if files.generation != state.generation { files.watch(state.watches, state.generation) }
        state.isAsleep = batch.isEmpty && state.work.isEmpty && state.urgentWork.isEmpty
        return (state.isAsleep, state.isEnding, state.timers.next)
      }
      if isIdle, mayEnd { return }
      poll(&files, sleeps: isIdle, until: timer, &urgency)
      for _ in 0..<Self.workPerPoll {
        // Before each job: a stop whose bytes are here goes ahead of it.
        var looks = 0
        while looks < Self.looksPerJob, files.pollUrgent() {
          handleReady(files, isUrgent: true, &urgency)
          looks += 1
        }
        guard let work = next(&batch, &urgency) else { break }
        work.perform()
      }
    }
  }

  /// Takes the work that is to be done next.
  private func next(_ batch: inout [Work], _ urgency: inout Int) -> Work? {
    if let work = nextUrgent(&urgency) { return work }
    urgency = 0
    return state.withLock { state in
      if batch.isEmpty {
        // Keeps the capacities, so that a turn allocates nothing.
        swap(&batch, &state.work)
        batch.reverse()
      }
      return batch.popLast()
    }
  }

  private func nextUrgent(_ urgency: inout Int) -> Work? {
    guard urgency < Self.longestUrgency else { return nil }
    urgency += 1
    return state.withLock { $0.urgentWork.isEmpty ? nil : $0.urgentWork.removeFirst() }
  }

  private func poll(
    _ files: inout PolledFiles,
    sleeps: Bool,
    until deadline: Int64?,
    _ urgency: inout Int
  ) {
    guard files.poll(sleeps: sleeps, until: deadline) else { return }
    state.withLock { $0.isAsleep = false }
    handleReady(files, isUrgent: false, &urgency)
  }

  /// - Parameter isUrgent: whether only urgent files are handled.
  private func handleReady(_ files: PolledFiles, isUrgent: Bool, _ urgency: inout Int) {
    files.forEachReady(isUrgent: isUrgent) { watch in
      // An earlier handler may have removed this watch.
      let isWatched = state.withLock { [generation = files.generation] state in
        state.generation == generation || state.watches[watch.number] != nil
      }
      if isWatched { watch.handler() }
      while let work = nextUrgent(&urgency) { work.perform() }
    }
  }

  /// Nanoseconds of `CLOCK_BOOTTIME`: what got due while the box was suspended is done when it resumes.
  private static var now: Int64 { nanoseconds(on: CLOCK_BOOTTIME) }
}

/// What the thread of an ``EventLoop`` polls: its bell, its timer and the watched files.
private struct PolledFiles {
  private(set) var generation = 0
  /// The urgent ones first.
  private var watches: [EventLoop.Watch] = []
  private var urgentCount = 0
  private var descriptors: [pollfd]
  /// When the timer goes off; nil when it won't.
  private var alarm: Int64?

  private static let own = 2

  init(bell: Int32, timer: Int32) {
    descriptors = [bell, timer].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  }

  mutating func watch(_ watches: [Int: EventLoop.Watch], _ generation: Int) {
    self.generation = generation
    self.watches = watches.values.sorted {
      $0.isUrgent == $1.isUrgent ? $0.number < $1.number : $0.isUrgent
    }
    urgentCount = self.watches.count(where: \.isUrgent)
    descriptors.removeSubrange(Self.own...)
    descriptors += self.watches.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
  }

  /// - Returns: whether anything is ready.
  mutating func poll(sleeps: Bool, until deadline: Int64?) -> Bool {
    if sleeps { setAlarm(at: deadline) }
    guard Glibc.poll(&descriptors, nfds_t(descriptors.count), sleeps ? -1 : 0) > 0 else {
      return false
    }
    for file in descriptors[..<Self.own] where file.revents != 0 {
      var count: UInt64 = 0
      _ = read(file.fd, &count, MemoryLayout.size(ofValue: count))
    }
    if descriptors[1].revents != 0 { alarm = nil }
    return true
  }

  /// Looks at the urgent files alone.
  ///
  /// - Returns: whether one of them is ready.
  mutating func pollUrgent() -> Bool {
    guard urgentCount > 0 else { return false }
    return descriptors.withUnsafeMutableBufferPointer { files in
      Glibc.poll(files.baseAddress?.advanced(by: Self.own), nfds_t(urgentCount), 0) > 0
    }
  }

  func forEachReady(isUrgent: Bool, _ body: (EventLoop.Watch) -> Void) {
    let watches = isUrgent ? watches.prefix(urgentCount) : watches[...]
    for (watch, file) in zip(watches, descriptors[Self.own...]) where file.revents != 0 {
      body(watch)
    }
  }

  /// - Parameter deadline: nil disarms the timer.
  private mutating func setAlarm(at deadline: Int64?) {
    guard alarm != deadline else { return }
    alarm = deadline
    // Zero disarms the timer.
    let due = deadline.map { max($0, 1) } ?? 0
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(due / 1_000_000_000)
    setting.it_value.tv_nsec = Int(due % 1_000_000_000)
    timerfd_settime(descriptors[1].fd, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }
}
