import Glibc
import Threads

/// The thread of a ``BusExecutor``.
///
/// It sleeps in `poll`, whatever it waits for, and nothing wakes it but work.
final class BusLoop: Sendable {
  private struct State {
    /// In order.
    var work: [@Sendable () -> Void] = []
    /// Whether it takes a wake-up to have new work seen.
    var isAsleep = false
    var isEnding = false
    var thread: pthread_t?
    var watches: [Int: Watched] = [:]
    var lastWatch = 0
    /// Of the watches: the thread polls a copy of its own.
    var generation = 0
  }

  private struct Watched {
    var descriptor: Int32
    var events: Int16
    var handler: @Sendable () -> Void
  }

  private let state = Locked(State())
  /// Who writes to it wakes the thread.
  private let alarm: (reading: OwnedFileDescriptor, writing: OwnedFileDescriptor)

  init() {
    var ends: [Int32] = [-1, -1]
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    precondition(
      socketpair(AF_UNIX, Int32(type), 0, &ends) == 0,
      "no sockets to wake the bus: \(String(cString: strerror(errno)))"
    )
    alarm = (OwnedFileDescriptor(ends[0]), OwnedFileDescriptor(ends[1]))
  }

  /// Whether this is the loop's thread.
  var isCurrent: Bool {
    let current = pthread_self()
    return state.withLock { $0.thread.map { pthread_equal($0, current) != 0 } ?? false }
  }

  // MARK: From any thread

  func perform(_ work: @escaping @Sendable () -> Void) {
    change { $0.work.append(work) }
  }

  /// The thread ends once it has done what it has to do.
  func end() {
    change { $0.isEnding = true }
  }

  func watch(_ descriptor: Int32, _ handler: @escaping @Sendable () -> Void) -> Int {
    change { state in
      state.lastWatch += 1
      state.watches[state.lastWatch] = Watched(
        descriptor: descriptor,
        events: Int16(POLLIN),
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
    if wakes { _ = write(alarm.writing.rawValue, [UInt8(1)], 1) }
    return result
  }

  // MARK: The thread

  private static let roundsPerPoll = 64

  func start() {
    let status = startThread { self.run() }
    precondition(status == 0, "no thread for the bus: \(String(cString: strerror(status)))")
  }

  private func run() {
    state.withLock { $0.thread = pthread_self() }
    var polled = PolledWatches(alarm: alarm.reading.rawValue)
    var work: [@Sendable () -> Void] = []
    while true {
      var isBusy = true
      var rounds = 0
      // What work leads to is done before the sockets are asked again, but not for ever.
      while isBusy, rounds < Self.roundsPerPoll {
        let mayEnd = state.withLock { state in
          swap(&work, &state.work)
          if polled.generation != state.generation {
            polled.take(state.watches.mapValues { ($0.descriptor, $0.events) }, state.generation)
          }
          state.isAsleep = work.isEmpty
          return state.isEnding
        }
        isBusy = !work.isEmpty
        if !isBusy, mayEnd { return }
        for item in work { item() }
        // Capacity stays: nothing is allocated from turn to turn.
        work.removeAll(keepingCapacity: true)
        rounds += 1
      }
      let ready = polled.wait(forEver: !isBusy)
      let handlers = state.withLock { state in
        state.isAsleep = false
        return ready.compactMap { state.watches[$0]?.handler }
      }
      for handler in handlers { handler() }
    }
  }
}

/// What the thread of a ``BusLoop`` polls.
private struct PolledWatches {
  private(set) var generation = 0
  private var watches: [Int] = []
  private var descriptors: [pollfd]

  init(alarm: Int32) {
    descriptors = [pollfd(fd: alarm, events: Int16(POLLIN), revents: 0)]
  }

  mutating func take(_ watched: [Int: (descriptor: Int32, events: Int16)], _ generation: Int) {
    self.generation = generation
    watches = watched.keys.sorted()
    descriptors.removeSubrange(1...)
    for watch in watched.sorted(by: { $0.key < $1.key }) {
      descriptors.append(pollfd(fd: watch.value.descriptor, events: watch.value.events, revents: 0))
    }
  }

  /// - Returns: the watches whose descriptors are ready, or broken.
  mutating func wait(forEver: Bool) -> [Int] {
    guard poll(&descriptors, nfds_t(descriptors.count), forEver ? -1 : 0) > 0 else { return [] }
    if descriptors[0].revents != 0 {
      var bytes: UInt64 = 0
      _ = read(descriptors[0].fd, &bytes, MemoryLayout.size(ofValue: bytes))
    }
    return zip(watches, descriptors.dropFirst()).compactMap { $1.revents != 0 ? $0 : nil }
  }
}

/// A socket that a ``BusLoop`` waits for; no longer than this is kept.
final class SocketWatch: Sendable {
  private let loop: BusLoop
  private let number: Int

  init(_ loop: BusLoop, _ descriptor: Int32, _ handler: @escaping @Sendable () -> Void) {
    self.loop = loop
    number = loop.watch(descriptor, handler)
  }

  deinit { loop.unwatch(number) }

  /// Whether the handler is called, too, when the socket takes more.
  func setWriting(_ isWanted: Bool) {
    loop.setWriting(isWanted, watch: number)
  }
}
