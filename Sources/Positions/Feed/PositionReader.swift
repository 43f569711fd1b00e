import Clocks
import CourtMapping
import Glibc
import Host

/// Reads feeders on a thread of its own, which sleeps in `poll` while nothing comes.
struct PositionReader {
  /// The most clients accepted in a turn: a storm of them must not delay the others.
  private static let acceptBudget = 16
  /// The most bytes read from a feeder in its turn: about 100 positions.
  static let readBudget = 4096
  /// The pause in accepting after the system ran out of descriptors, in milliseconds.
  private static let acceptPause: Int32 = 1_000

  /// What an open source reads from.
  enum Input: Sendable {
    /// Read until it ends.
    case stream(FileDescriptor, name: String)
    /// Read from one writer after another.
    case fifo(FileDescriptor, path: String)
    case listener(ListeningSocket)
  }

  private struct Feeder {
    var descriptor: FileDescriptor
    let name: String
    /// Set when a FIFO is to be opened again for its next writer.
    let fifo: String?
    /// A FIFO's writer shows only with its first bytes.
    var lane: PositionEventQueue.LaneID?
    var decoder = PositionDecoder(.ofArrival)
    /// Whether its next bytes may be older than the end of a standstill.
    var isStale = false
    var wantsReplies = false
  }

  private let clock: any MonotonicClock
  private let events: PositionEventQueue
  private let calibration: Locked<Calibration?>
  private let clientLimit: Int
  private let interruption: FileDescriptor
  private var listener: ListeningSocket?
  private var acceptPaused = false
  private var feeders: [Feeder] = []
  /// The interruption, the listener, then the feeders.
  private var polled: [pollfd] = []
  /// Whether `polled` has the present feeders.
  private var isPolledCurrent = false
  private var clientNumber = 0
  private let worldTime: @Sendable () -> Duration
  private var watch: StandstillWatch
  /// Whether waiting clients may have come before the end of a standstill.
  private var areNewcomersStale = false
  private var hasStaleFeeders = false
  private var buffer = [UInt8](repeating: 0, count: readBudget)

  /// - Parameters:
  ///   - calibration: for picture points, as it is at the moment.
  ///   - clientLimit: how many clients may be connected at once.
  ///   - interruption: becomes readable when the reading is to stop.
  ///   - worldTime: shows that the process stood still.
  init(
    _ input: Input,
    clock: any MonotonicClock,
    events: PositionEventQueue,
    calibration: Locked<Calibration?>,
    clientLimit: Int,
    interruption: FileDescriptor,
    worldTime: @escaping @Sendable () -> Duration
  ) {
    self.worldTime = worldTime
    watch = StandstillWatch(at: worldTime())
    self.clock = clock
    self.events = events
    self.calibration = calibration
    self.clientLimit = clientLimit
    self.interruption = interruption
    switch input {
    case .stream(let descriptor, let name):
      feeders = [
        Feeder(descriptor: descriptor, name: name, fifo: nil, lane: events.open(name))
      ]
    case .fifo(let descriptor, let path):
      feeders = [Feeder(descriptor: descriptor, name: path, fifo: path)]
    case .listener(let socket):
      listener = socket
    }
  }

  /// Returns when the source has ended or the interruption came.
  mutating func run() throws(SystemError) {
    var ended = false
    defer {
      for feeder in feeders { feeder.lane.map(events.close) }
      events.finish(ended: ended)
    }
    while listener != nil || !feeders.isEmpty {
      if !isPolledCurrent { pollFeeders() }
      polled[1].fd = acceptPaused ? -1 : listener?.descriptor.number ?? -1
      guard poll(&polled, nfds_t(polled.count), timeout) >= 0 else {
        if errno == EINTR { continue }
        throw SystemError("wait for positions")
      }
      acceptPaused = false
      // In this order: positions may have come during a standstill between `poll` and here.
      if hasStaleFeeders { forgetStandstill() }
      noticeStandstill()
      if polled[0].revents != 0 { return }
      // From the last to the first, because a feeder that has gone is removed.
      for index in feeders.indices.reversed() where polled[index + 2].revents != 0 {
        try takeTurn(of: index)
      }
      if polled[1].revents != 0 { acceptClients() }
    }
    ended = true
  }

  /// In milliseconds; negative: for ever.
  private var timeout: Int32 {
    mutating get {
      let longestWait = watch.longestWait(at: worldTime()).map { Int32($0 / .milliseconds(1)) }
      guard acceptPaused else { return longestWait ?? -1 }
      return min(longestWait ?? Self.acceptPause, Self.acceptPause)
    }
  }

  // MARK: Standing still

  private mutating func noticeStandstill() {
    guard let gap = watch.stepped(at: worldTime()) else { return }
    events.standStill(for: gap)
    for index in feeders.indices { feeders[index].isStale = true }
    areNewcomersStale = listener != nil
    hasStaleFeeders = true
  }

  /// Descriptors with nothing to read now have no stale data.
  private mutating func forgetStandstill() {
    if polled[1].fd >= 0, polled[1].revents == 0 { areNewcomersStale = false }
    for index in feeders.indices where polled[index + 2].revents == 0 {
      feeders[index].isStale = false
    }
    hasStaleFeeders = areNewcomersStale || feeders.contains(where: \.isStale)
  }

  /// Not in each round: of 64 feeders only one may have data.
  private mutating func pollFeeders() {
    let descriptors = [interruption.number, -1] + feeders.map(\.descriptor.number)
    polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    isPolledCurrent = true
  }

  /// Reads once, so that a feeder that writes much can't delay the others.
  private mutating func takeTurn(of index: Int) throws(SystemError) {
    let count = read(feeders[index].descriptor.number, &buffer, buffer.count)
    noticeStandstill()
    if count > 0 {
      watch.attend()
      let lane = feeders[index].lane ?? events.open(feeders[index].name)
      feeders[index].lane = lane
      var lines: [PositionLine] = []
      buffer.withUnsafeBytes { bytes in
        let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
        feeders[index].decoder.use(calibration.withLock(\.self))
        feeders[index].decoder.decode(bytes) { lines.append($0) }
      }
      reply(to: index, about: lines)
      if feeders[index].isStale {
        events.drop(lines.count)
      } else {
        events.append(lines, at: clock.now, to: lane)
      }
      // All waiting bytes have been read.
      if count < buffer.count { feeders[index].isStale = false }
      return
    }
    if count < 0 {
      if errno == EINTR || errno == EAGAIN { return }
      // A client that resets its connection is gone; failing to read the source is our failure.
      if listener == nil { throw SystemError("read positions from \(feeders[index].name)") }
    }
    try end(index)
  }

  /// Says which lines are refused, and why, to a feeder that has asked for it. One that doesn't read
  /// its replies gets no more.
  private mutating func reply(to index: Int, about lines: [PositionLine]) {
    // A pipe or a file takes no replies.
    guard listener != nil else { return }
    var text: [UInt8] = []
    if lines.first == .wantsReplies {
      feeders[index].wantsReplies = true
      text += PositionReply.accepted
    }
    guard feeders[index].wantsReplies else { return }
    text += PositionReply.text(lines)
    guard !text.isEmpty else { return }
    let sent = send(
      feeders[index].descriptor.number,
      text,
      text.count,
      Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    )
    if sent < text.count { feeders[index].wantsReplies = false }
  }

  private mutating func end(_ index: Int) throws(SystemError) {
    isPolledCurrent = false
    if let lane = feeders[index].lane {
      var lines: [PositionLine] = []
      let mayBeCut = !feeders[index].descriptor.isRegularFile
      feeders[index].decoder.finish(mayBeCut: mayBeCut) { lines.append($0) }
      events.append(lines, at: clock.now, to: lane)
      events.close(lane)
      feeders[index].lane = nil
    }
    if let path = feeders[index].fifo {
      // Opened before the old one is closed, so that a writer always finds a reader.
      feeders[index].descriptor = try Self.openFIFO(path)
    } else {
      feeders.remove(at: index)
    }
  }

  static func openFIFO(_ path: String) throws(SystemError) -> FileDescriptor {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open \(path)") }
    return FileDescriptor(owning: number)
  }

  private mutating func acceptClients() {
    for _ in 0..<Self.acceptBudget {
      do {
        guard let client = try listener?.accept() else { return }
        guard events.laneCount < clientLimit else {
          events.refuse(limit: clientLimit)
          continue
        }
        clientNumber += 1
        isPolledCurrent = false
        let name = "client \(clientNumber)"
        var feeder = Feeder(descriptor: client, name: name, fifo: nil, lane: events.open(name))
        feeder.isStale = areNewcomersStale
        feeders.append(feeder)
      } catch {
        // Out of descriptors or memory: connected feeders go on, the new client waits.
        acceptPaused = true
        return
      }
    }
  }
}

extension FileDescriptor {
  fileprivate var isRegularFile: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
