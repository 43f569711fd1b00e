import Clocks
import CourtMapping
import Glibc
import Host

/// Reads feeders on its executor's thread, a little in each turn: the thread has other work.
actor PositionReader {
  /// The most bytes read from a feeder at once, about 100 positions, and when a turn ends.
  static let readBudget = 4096
  /// A client that has been silent for longer makes room for another one.
  private static let longestSilence = Duration.seconds(60)
  /// What the set of files calls the listener; feeders count from 1.
  private static let newcomers = 0

  /// What an open source reads from.
  enum Input: Sendable {
    /// Read until it ends.
    case stream(FileDescriptor, name: String)
    /// Read from one writer after another.
    case fifo(FileDescriptor, path: String)
    /// Read until it is unplugged.
    case serialPort(SerialPort, path: String)
    case listener(KeptListener)
  }

  private nonisolated let executor: LoopExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let clock: any MonotonicClock
  private let events: PositionEventQueue
  private let calibration: Locked<Calibration?>
  private let frame: CourtFrame
  private let clientLimit: Int
  private let files: FileSet
  /// Nil before and after ``run()``.
  private var watch: FileWatch?
  /// Gets whether the source has ended.
  private let end = FirstAnswer<Bool>()
  private var listener: ListeningSocket?
  private var isAccepting = false
  private var feeders: [Feeder] = []
  private var lastNumber = 0
  private let worldTime: @Sendable () -> Duration
  private var standstill: StandstillWatch
  /// Whether a turn is to come for ``standstill``.
  private var isPulseComing = false
  /// Whether waiting clients may have come before the end of a standstill.
  private var areNewcomersStale = false
  private var hasStaleFeeders = false
  private var buffer = [UInt8](repeating: 0, count: readBudget)

  /// - Parameters:
  ///   - calibration: for picture points, as it is at the moment.
  ///   - frame: what numbers mean, unless a feeder declares it.
  ///   - clientLimit: how many clients may be connected at once.
  ///   - worldTime: shows that the process stood still.
  init(
    _ input: Input,
    executor: LoopExecutor,
    clock: any MonotonicClock,
    events: PositionEventQueue,
    calibration: Locked<Calibration?>,
    frame: CourtFrame,
    clientLimit: Int,
    worldTime: @escaping @Sendable () -> Duration
  ) throws(SystemError) {
    self.executor = executor
    self.worldTime = worldTime
    standstill = StandstillWatch(at: worldTime())
    self.clock = clock
    self.events = events
    self.calibration = calibration
    self.frame = frame
    self.clientLimit = clientLimit
    files = try FileSet()
    switch input {
    case .stream(let descriptor, let name):
      feeders = [Feeder(descriptor, number: 1, name: name, lane: events.open(name), frame: frame)]
    case .fifo(let descriptor, let path):
      feeders = [Feeder(descriptor, number: 1, name: path, fifo: path, frame: frame)]
    case .serialPort(let port, let path):
      port.discard()
      let lane = events.open(path)
      feeders = [
        Feeder(
          port.descriptor,
          number: 1,
          name: path,
          serialPort: port,
          lane: lane,
          frame: frame
        )
      ]
    case .listener(let kept):
      listener = kept.socket
    }
  }

  /// Reads until the source ends, or until the task is cancelled. Then all is closed.
  ///
  /// - Returns: whether the source has ended.
  func run() async throws -> Bool {
    defer {
      watch = nil
      for feeder in feeders { feeder.lane.map(events.close) }
      feeders = []
      listener = nil
    }
    for feeder in feeders { try feeder.join(files) }
    accept()
    watch = executor.watch(files.descriptor.number) { [weak self] in
      self?.assumeIsolated { $0.takeTurn() }
    }
    return try await withTaskCancellationHandler {
      try await end.wait()
    } onCancel: {
      end.give(.success(false))
    }
  }

  private func takeTurn() {
    guard watch != nil else { return }
    do throws(SystemError) {
      try read()
      if listener == nil, feeders.isEmpty { finish(.success(true)) } else { keepPulse() }
    } catch {
      finish(.failure(error))
    }
  }

  private func finish(_ result: Result<Bool, any Error>) {
    watch = nil
    end.give(result)
  }

  // MARK: Standing still

  private func keepPulse() {
    guard let wait = standstill.longestWait(at: worldTime()), !isPulseComing else { return }
    isPulseComing = true
    executor.perform(after: wait) { [weak self] in
      self?.assumeIsolated {
        $0.isPulseComing = false
        $0.takeTurn()
      }
    }
  }

  /// Balls may fly soon: from now on a standstill is noticed, though no feeder has been heard.
  func attend() {
    guard watch != nil else { return }
    noticeStandstill()
    standstill.attend()
    keepPulse()
  }

  private func noticeStandstill() {
    guard let gap = standstill.stepped(at: worldTime()) else { return }
    events.standStill(for: gap)
    for feeder in feeders { feeder.stoodStill(at: clock.now) }
    areNewcomersStale = listener != nil
    hasStaleFeeders = true
  }

  /// Files with nothing to read now have no stale data.
  private func forgetStandstill() {
    let ready = Set(files.ready(atMost: feeders.count + 1).map(\.number))
    if isAccepting, !ready.contains(Self.newcomers) { areNewcomersStale = false }
    for feeder in feeders where !ready.contains(feeder.number) { feeder.isRead(at: clock.now) }
    hasStaleFeeders = areNewcomersStale || feeders.contains(where: \.isStale)
  }

  // MARK: Feeders

  /// Reads once from each feeder, so that one that writes much can't delay the others, and ends
  /// where there is more than a turn's work.
  private func read() throws(SystemError) {
    // In this order: positions may have come during a standstill in between.
    if hasStaleFeeders { forgetStandstill() }
    noticeStandstill()
    var bytes = 0
    for _ in 0...feeders.count {
      // One at a time: the next turn goes on behind it.
      guard bytes < Self.readBudget, let number = files.ready(atMost: 1).first?.number else {
        return
      }
      if number == Self.newcomers { return acceptClients() }
      guard let feeder = feeders.first(where: { $0.number == number }) else { continue }
      bytes += try read(feeder)
    }
  }

  /// - Returns: how many bytes it has read.
  private func read(_ feeder: Feeder) throws(SystemError) -> Int {
    let count = Glibc.read(feeder.descriptor.number, &buffer, buffer.count)
    let code = errno
    noticeStandstill()
    guard count > 0 else {
      if count < 0, code == EINTR || code == EAGAIN { return 0 }
      // A client that resets its connection is gone; failing to read the source is our failure.
      if count < 0, listener == nil {
        throw SystemError("read positions from \(feeder.name)", code: code)
      }
      if let failure = feeder.failure { throw failure }
      try close(feeder)
      return 0
    }
    standstill.attend()
    feeder.lastHeard = clock.now
    let lane: PositionEventQueue.LaneID
    if let known = feeder.lane { lane = known } else { lane = events.open(feeder.name) }
    feeder.lane = lane
    let calibration = calibration.withLock(\.self)
    let lines = feeder.decode(buffer[..<count], with: calibration, at: clock.now)
    // A pipe or a file takes no replies.
    if listener != nil { feeder.reply(about: lines) }
    if feeder.isStale {
      events.drop(lines.count, of: lane)
      feeder.skip()
    } else {
      events.append(lines, at: clock.now, to: lane)
    }
    if count < buffer.count { feeder.isRead(at: clock.now) }
    return count
  }

  private func close(_ feeder: Feeder) throws(SystemError) {
    files.remove(feeder.descriptor)
    if let lane = feeder.lane {
      events.append(feeder.finish(at: clock.now), at: clock.now, to: lane)
      events.close(lane)
      feeder.lane = nil
    }
    if let fifo = feeder.fifo {
      try feeder.open(fifo, in: files)
    } else {
      feeders.removeAll { $0 === feeder }
    }
  }

  // MARK: Clients

  /// Takes clients there from now on; those that are connected stay.
  func listen(at socket: ListeningSocket) {
    guard watch != nil, let old = listener else { return }
    files.remove(old.descriptor)
    listener = socket
    accept()
  }

  private func accept() {
    guard let listener else { return }
    isAccepting = files.add(listener.descriptor, as: Self.newcomers)
    if !isAccepting { pauseAccepting() }
  }

  /// Connected feeders go on, new clients wait.
  private func pauseAccepting() {
    guard let listener else { return }
    isAccepting = false
    files.remove(listener.descriptor)
    executor.perform(after: ListeningSocket.pause) { [weak self] in
      self?.assumeIsolated { $0.accept() }
    }
  }

  private func acceptClients() {
    let isTaken = listener?.acceptTurn { client throws(SystemError) in
      guard try hasRoom() else { return events.refuse(limit: clientLimit) }
      lastNumber += 1
      guard files.add(client, as: lastNumber) else { throw SystemError("wait for a client") }
      let name = "client \(lastNumber)"
      // Taken before the event is sent: a test that takes the event sets the clock.
      let now = clock.now
      let lane = events.open(name)
      let feeder = Feeder(client, number: lastNumber, name: name, lane: lane, frame: frame)
      feeder.lastHeard = now
      if areNewcomersStale { feeder.stoodStill(at: now) }
      feeders.append(feeder)
    }
    if isTaken == false { pauseAccepting() }
  }

  /// Whether another client may come. If there are too many, the one that has been silent longest
  /// goes: that of a broken connection may stay for hours. The player's is heard each second.
  private func hasRoom() throws(SystemError) -> Bool {
    if events.laneCount < clientLimit { return true }
    // Events that are not taken are bounded, too.
    guard feeders.count == clientLimit, events.laneCount < 2 * clientLimit else { return false }
    let now = clock.now
    for feeder in feeders.sorted(by: { $0.lastHeard < $1.lastHeard }) {
      guard feeder.lastHeard.duration(to: now) > Self.longestSilence else { return false }
      // It may have said something that has not been read yet.
      guard try read(feeder) == 0 else { continue }
      if feeder.lane != nil { try close(feeder) }
      return true
    }
    return false
  }
}
