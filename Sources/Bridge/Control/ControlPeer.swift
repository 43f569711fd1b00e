import Clocks
import ControlProtocol
import Glibc
import Host

/// A client of the control socket, as the thread that serves it sees it.
struct ControlPeer {
  /// Bytes that a client may leave untaken; one that asks and never reads is sent away.
  static let outputCapacity = 1 << 18
  /// Bytes that are read a second, and at once after a rest. Few enough for the slowest box, and
  /// enough to find a stop behind a full socket buffer of requests (208 kB on Linux) within a
  /// second.
  private static let readingRate = 131_072.0

  let presence: ClientPresence
  let identity: ControlIdentity
  /// Why it has no place, so that it may only stop; nil if it has one, or needs none.
  let refusal: ControlError?
  /// Nil when the client has gone, while what it asked is still under way.
  private(set) var descriptor: FileDescriptor?
  private var splitter = LineSplitter(longest: ControlLine.longest, passesOnRests: true)
  private var output = OutputBuffer()
  /// Bytes that it had not taken when it was last written to.
  private var untaken = 0
  private var reading = Allowance(readingRate)
  /// Whether it has said all that it will say.
  private var isAllSaid = false
  /// Whether it has closed both directions, though what it said before may still be read.
  private var hasHungUp = false
  private var requests = RequestQueue()
  /// Whether balls may depend on its connection.
  private var isNeeded = false
  /// The stops that came in before all that it says from now on, on whichever socket.
  var earlierStops: Int
  /// Stops that wait for their outcome.
  private(set) var stops = 0
  /// Looks for a stop in a line that is too long.
  var longLine = StopScan()
  private var subscription: Subscription?

  init(
    number: Int,
    identity: ControlIdentity,
    refusal: ControlError? = nil,
    descriptor: FileDescriptor,
    stops: Int = 0
  ) {
    presence = ClientPresence(number: number)
    self.identity = identity
    self.refusal = refusal
    self.descriptor = descriptor
    earlierStops = stops
  }

  /// Whether it may only stop.
  var isGuest: Bool { refusal != nil || identity.role == .none }

  /// Bytes that wait for the rest of their line, or to be written.
  var heldBytes: Int { splitter.heldCount + output.heldBytes }
  /// Events that wait until the output is empty; clients share their bytes.
  var waitingEvents: Int { subscription?.events.count ?? 0 }

  // MARK: Waiting

  /// What to wait for on its socket.
  func interest(at now: MonotonicInstant) -> pollfd {
    var events: Int16 = 0
    if mayRead(at: now) { events |= Int16(POLLIN) }
    if !output.isEmpty { events |= Int16(POLLOUT) }
    // Otherwise a client that is not read for now would wake `poll` again and again when it goes.
    let isOfInterest = events != 0 || isAllSaid || isNeeded
    return pollfd(fd: isOfInterest ? descriptor?.number ?? -1 : -1, events: events, revents: 0)
  }

  /// Whether these are its earlier stops; true for one that isn't read.
  func knows(_ stops: Int, polled file: pollfd) -> Bool {
    earlierStops == stops || file.events & Int16(POLLIN) == 0
  }

  /// The stops came before its next line if it had nothing to read after them: what waited in its
  /// socket may be older, however late it is read.
  mutating func learn(_ stops: Int, polled file: pollfd) {
    guard file.events & Int16(POLLIN) != 0, file.revents & Int16(POLLIN) == 0 else { return }
    earlierStops = stops
  }

  /// How long it is not read or not served because it sent or asked too much; nil: not paused.
  func pause(at now: MonotonicInstant) -> Duration? {
    let pauses = [
      isAllSaid || descriptor == nil ? nil : reading.pause(at: now),
      requests.pause(at: now),
      output.isEmpty ? subscription?.player?.pause(at: now) : nil,
    ]
    return pauses.compactMap(\.self).min()
  }

  private func mayRead(at now: MonotonicInstant) -> Bool {
    !isAllSaid && reading.pause(at: now) == nil
  }

  /// Whether there is nothing more to do for it.
  var isThrough: Bool { descriptor == nil && requests.isEmpty && stops == 0 }

  // MARK: Reading

  /// Reads once, so that every client has its turn.
  mutating func read(
    _ events: Int16,
    into buffer: inout [UInt8],
    at now: MonotonicInstant
  ) -> [LineSplitter.Content] {
    guard let descriptor else { return [] }
    noticeHangUp(events)
    guard mayRead(at: now) else {
      if isAllSaid, hasHungUp { leave() }
      return []
    }
    guard hasHungUp || events & Int16(POLLIN) != 0 else { return [] }
    let count = Glibc.read(descriptor.number, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    var lines: [LineSplitter.Content] = []
    guard count > 0 else {
      splitter.finish { lines.append($1) }
      presence.end()
      if count < 0 { leave() } else { isAllSaid = true }
      return lines
    }
    append(buffer.prefix(count)) { lines.append($0) }
    reading.spend(Double(lines.reduce(0) { $0 + Self.cost(of: $1) }), at: now)
    return lines
  }

  /// Reads on after it had to leave, beyond its allowance: the rest may contain a stop.
  ///
  /// - Returns: nil when that was all.
  mutating func readRest(
    of descriptor: FileDescriptor,
    into buffer: inout [UInt8]
  ) -> [LineSplitter.Content]? {
    let count = Glibc.read(descriptor.number, &buffer, buffer.count)
    if count < 0, errno == EINTR { return [] }
    var lines: [LineSplitter.Content] = []
    guard count > 0 else {
      splitter.finish { lines.append($1) }
      return lines.isEmpty ? nil : lines
    }
    append(buffer.prefix(count)) { lines.append($0) }
    return lines
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>, _ take: (LineSplitter.Content) -> Void) {
    bytes.withUnsafeBytes { bytes in splitter.append(bytes) { take($1) } }
  }

  /// How many bytes of the allowance this costs: bytes that are only scanned cost little.
  private static func cost(of content: LineSplitter.Content) -> Int {
    switch content {
    case .line(let bytes), .unterminated(let bytes): bytes.count + 1
    case .rest(let bytes): bytes.count / 64
    case .tooLong: 1
    }
  }

  /// Whether balls may depend on its connection, which has ended. True once.
  mutating func takeEnd() -> Bool {
    guard isNeeded, presence.hasEnded else { return false }
    isNeeded = false
    return true
  }

  /// The client has gone, or has to go.
  mutating func leave() {
    presence.end()
    descriptor = nil
    isAllSaid = true
    subscription = nil
    output = OutputBuffer()
  }

  // MARK: Requests

  /// Queues a request.
  mutating func admit(_ call: ControlCall) throws(ControlError) { try requests.admit(call) }

  /// A stop overtakes all waiting requests.
  mutating func beginStop() { stops += 1 }

  /// The next request to carry out; nil while it has to wait or the allowance is spent.
  mutating func next(at now: MonotonicInstant) -> ControlCall? {
    // No ball for a client that has gone. The process may have stood still since `poll` looked.
    if requests.mayFeed { lookForHangUp() }
    if descriptor == nil || hasHungUp { requests.dropFeedingRequests() }
    guard let call = requests.next(at: now) else { return nil }
    isNeeded = isNeeded || call.needsClient
    return call
  }

  private mutating func lookForHangUp() {
    guard let descriptor else { return }
    var file = pollfd(fd: descriptor.number, events: 0, revents: 0)
    guard poll(&file, 1, 0) > 0 else { return }
    noticeHangUp(file.revents)
  }

  private mutating func noticeHangUp(_ events: Int16) {
    guard events & Int16(POLLHUP | POLLERR) != 0 else { return }
    hasHungUp = true
    // At once, however much it has sent before.
    presence.end()
  }

  mutating func finish(_ call: ControlCall) {
    if call.isStop { stops -= 1 } else { requests.finish(call.request) }
  }

  // MARK: Writing

  mutating func say(_ line: [UInt8]) {
    guard descriptor != nil else { return }
    // A long answer is no fault of a client that reads.
    guard untaken <= Self.outputCapacity else { return leave() }
    output.append(line: line)
  }

  var isSubscribed: Bool { subscription != nil }
  var wantsPlayer: Bool { subscription?.player != nil }

  /// From now on it gets events.
  ///
  /// - Parameter interval: the least time between two positions of the player; nil: it wants none.
  mutating func subscribe(player interval: Duration?) {
    if subscription == nil { subscription = Subscription() }
    subscription?.player = interval.map { PlayerShare(interval: $0) }
  }

  /// The player's newest position takes the place of one that waits.
  mutating func notify(player line: [UInt8]) { subscription?.player?.newest = line }

  /// Queues an event for it. A client that is too far behind misses the oldest of the kind.
  mutating func notify(_ line: [UInt8], _ kind: EventKind) {
    subscription?.events.append(line, kind)
  }

  mutating func miss(_ count: Int) { subscription?.events.miss(count) }

  /// Writes what the client takes now.
  ///
  /// - Parameter present: link and safety as they are, for a client that has missed something and
  ///   has caught up.
  mutating func flush(at now: MonotonicInstant, present: () -> [([UInt8], EventKind)]) {
    guard let descriptor, write(to: descriptor) else { return }
    while output.isEmpty, subscription?.fill(&output, at: now, present: present) == true {
      guard write(to: descriptor) else { return }
    }
    let isIdle = requests.isEmpty && stops == 0 && output.isEmpty && !isSubscribed
    if isAllSaid, isIdle { leave() }
  }

  private mutating func write(to descriptor: FileDescriptor) -> Bool {
    guard output.isEmpty || output.flush(to: descriptor) else {
      leave()
      return false
    }
    untaken = output.count
    return true
  }
}
